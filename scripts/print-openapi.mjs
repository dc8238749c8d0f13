// Prints the OpenAPI document of the Store API, or of the Client Security API.
//
//   npm run build && node scripts/print-openapi.mjs [--security] [--url http://127.0.0.1:4100/v1]
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { openDocuments } from '../dist/surfaces/documents.js'

const { values } = parseArgs({
  options: {
    security: { type: 'boolean', default: false },
    url: { type: 'string', default: 'http://127.0.0.1:4100/v1' },
  },
})
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const documents = openDocuments(version, values.url)
const document = await (values.security ? documents.security() : documents.store())
process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
