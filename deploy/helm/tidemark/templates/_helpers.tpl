{{- define "tidemark.name" -}}
{{- if eq .Release.Name "tidemark" -}}tidemark{{- else -}}{{ printf "%s-tidemark" .Release.Name | trunc 50 | trimSuffix "-" }}{{- end -}}
{{- end -}}

{{- define "tidemark.selector" -}}
app.kubernetes.io/name: tidemark
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "tidemark.labels" -}}
{{ include "tidemark.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "tidemark.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- /* What every pod may do: nothing that its process does not need. */ -}}
{{- define "tidemark.pod" -}}
serviceAccountName: {{ include "tidemark.name" . }}
# The tasks talk to Temporal, the ledger and the store, never to Kubernetes.
automountServiceAccountToken: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: {type: RuntimeDefault}
{{- end -}}

{{- define "tidemark.container" -}}
image: {{ include "tidemark.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
volumeMounts:
  - {name: configuration, mountPath: /etc/tidemark/tidemark.yaml, subPath: tidemark.yaml, readOnly: true}
  - {name: scratch, mountPath: /tmp}
  {{- if .Values.tlsSecret }}
  - {name: tls, mountPath: /etc/tidemark/tls, readOnly: true}
  {{- end }}
{{- end -}}

{{- define "tidemark.volumes" -}}
- name: configuration
  configMap: {name: {{ include "tidemark.name" . }}}
- name: scratch
  emptyDir: {sizeLimit: {{ .Values.worker.scratch.sizeLimit }}}
{{- if .Values.tlsSecret }}
- name: tls
  secret: {secretName: {{ .Values.tlsSecret }}, defaultMode: 0440}
{{- end }}
{{- end -}}

{{- define "tidemark.secrets" -}}
{{- range . }}
- secretRef: {name: {{ . }}}
{{- end }}
{{- end -}}
