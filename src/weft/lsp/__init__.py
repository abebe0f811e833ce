"""The language server: PTX, the inline PTX of C++, and MLIR, in any editor that speaks LSP.

Each module answers one kind of question with offsets into a text and knows nothing of the protocol; `server` translates
between these and messages, with pygls (`pip install 'weft[lsp]'`).
"""
