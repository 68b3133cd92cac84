"""The slow twins that the product is held against."""
