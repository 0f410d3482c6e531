"""Which things does the text talk about, and which Wikipedia page is each?"""
