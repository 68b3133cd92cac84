"""The product done slowly: plain Python from the rules, for tests."""
