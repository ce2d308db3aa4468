package dev.tidemark.worker.http;

/** GET changes nothing; POST may. */
public enum Method {
  GET,
  POST
}
