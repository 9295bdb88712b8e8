"""OpenAPI documents in other forms than one file of version 3: several files, and Swagger 2.0."""
