"""The whole archive as a bag (BagIt 1.0, RFC 8493), to be kept for decades and loaded into an empty site."""
