"""Prints the repository map that aider sends to a model with a message, within a number of tokens: aider.py TOKENS < MESSAGE.

The map is made as a chat makes it, from the files and names that the message mentions (Coder.get_repo_map). No model is asked.
"""
import os
import sys

# litellm has the vocabulary of cl100k beside it; tiktoken would fetch it.
import litellm
os.environ.setdefault("TIKTOKEN_CACHE_DIR", os.path.join(os.path.dirname(litellm.__file__), "litellm_core_utils", "tokenizers"))

from aider.coders import Coder
from aider.io import InputOutput
from aider.models import Model

io = InputOutput(yes=True, pretty=False, fancy_input=False, chat_history_file=None, input_history_file=None)
tokens = int(sys.argv[1])
coder = Coder.create(main_model=Model("gpt-4"), edit_format="ask", io=io, map_tokens=tokens, map_mul_no_files=1, verbose=False)
coder.cur_messages = [dict(role="user", content=sys.stdin.read())]
sys.stdout.write("\nMAP\n" + (coder.get_repo_map() or ""))
