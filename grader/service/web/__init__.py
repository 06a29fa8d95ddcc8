"""The service's pages and HTTP API."""
