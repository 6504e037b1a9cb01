"""The kit: what a phone downloads to play without network. `make kit` builds it; so does every start.

program     the program, compiled by Pyodide under Node from the files of this repository
content     what the site knows and a pad asks for: passages, their pictures, variants, names of files
kit_manifest the list of all files with sizes and hashes, as the phone asks for it
build.mjs, compile.py, compress.mjs   what Node runs

Each file lies in a folder named by its content, with brotli and gzip beside it; it is a static file.
"""
