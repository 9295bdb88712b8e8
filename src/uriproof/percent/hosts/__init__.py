"""Hosts: domain names, addresses, and the scripts of their labels."""
