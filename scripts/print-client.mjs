// Prints the client of the Store API from its endpoints: sdk/client/operations.gen.ts, and the
// program that tries its types. With --check it fails where a file is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { printOpenApi } from '../dist/http/openapi/print.js'
import { CODES } from '../dist/kernel/errors.js'
import { storeEndpoints } from '../dist/surfaces/store-api.js'
import { printClient, printEveryOperation } from './client-printer.mjs'

const document = printOpenApi(storeEndpoints, { serverUrl: '', version: '', events: {} })
const files = {
  'sdk/client/operations.gen.ts': printClient(storeEndpoints, document, Object.keys(CODES)),
  'test/client/every-operation.gen.ts': printEveryOperation(storeEndpoints, document),
}

for (const [name, text] of Object.entries(files)) {
  const file = new URL(`../${name}`, import.meta.url)
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${name} is stale: run \`npm run sdk:types\`.\n`)
    process.exitCode = 1
  }
}
