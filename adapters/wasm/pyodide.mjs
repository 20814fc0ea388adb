// hashlib.blake2b of CPython (HACL*) in WebAssembly, by Pyodide: https://pyodide.org and https://docs.python.org/3/library/hashlib.html
import { loadPyodide } from 'pyodide'
import { serve, versionOf } from '../javascript/protocol.mjs'

const python = await loadPyodide()
const { blake2b } = python.pyimport('hashlib')

// toPython gives bytes to Python; Pyodide knows typed arrays, but not Node's Buffer.
const toPython = ({ buffer, byteOffset, length }) => python.toPy(new Uint8Array(buffer, byteOffset, length))

function keywords({ size, key, salt, person, tree }) {
  const given = { digest_size: size, key: key && toPython(key), salt: salt && toPython(salt), person: person && toPython(person), ...(tree && {
    fanout: tree.fanout,
    depth: tree.depth,
    leaf_size: tree.leaf,
    node_offset: tree.offset,
    node_depth: tree.nodeDepth,
    inner_size: tree.inner,
    last_node: tree.last === 1,
  }) }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

serve({
  name: 'pyodide',
  version: versionOf('pyodide'),
  takes: 'size key salt person tree',
  make: (params) => blake2b.callKwargs(keywords(params)),
  update(hash, bytes) {
    const message = toPython(bytes)
    hash.update(message)
    message.destroy()
  },
  digest(hash) {
    const digest = hash.digest()
    const bytes = digest.toJs()
    digest.destroy()
    return bytes
  },
  clone: (hash) => hash.$copy(), // hash.copy would copy the proxy alone
})
