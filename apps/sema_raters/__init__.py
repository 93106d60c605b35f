"""People's ratings: questionnaires as pages, ratings by rater, and how far raters agree."""
