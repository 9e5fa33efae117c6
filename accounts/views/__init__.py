"""Pages of people. Each module holds the views and the URLs of one group of pages."""
