package dev.tidemark.worker.embedded;

import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/**
 * A certificate that vouches for itself, for this machine, made by the JDK's own program.
 *
 * @param store PKCS #12, under {@link #PASSWORD}
 * @param certificate the same as PEM
 * @param key its private key, as PEM of PKCS #8, for its owner alone
 */
record Certificate(Path store, Path certificate, Path key) {
  static final char[] PASSWORD = "changeit".toCharArray();

  private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

  static Certificate in(Path folder, String name) throws Exception {
    Path store = folder.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-genkeypair",
                    "-alias",
                    name,
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=" + name,
                    "-ext",
                    "san=ip:127.0.0.1,dns:localhost",
                    "-storetype",
                    "PKCS12",
                    "-keystore",
                    store.toString(),
                    "-storepass",
                    new String(PASSWORD)))
            .redirectErrorStream(true)
            .redirectOutput(Redirect.DISCARD)
            .start();
    if (keytool.waitFor() != 0) {
      throw new AssertionError("keytool makes no certificate " + name);
    }
    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD);
    Path key =
        Files.createFile(
            folder.resolve(name + ".key"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return new Certificate(
        store,
        write(folder.resolve(name + ".crt"), "CERTIFICATE", keys.getCertificate(name).getEncoded()),
        write(key, "PRIVATE KEY", keys.getKey(name, PASSWORD).getEncoded()));
  }

  private static Path write(Path file, String kind, byte[] content) throws Exception {
    return Files.writeString(
        file,
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(kind, LINES.encodeToString(content), kind),
        StandardCharsets.US_ASCII);
  }
}
