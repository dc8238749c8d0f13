import { execFile, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { product } from '../build.ts'
import { listen } from '../client/open-client.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { ROOT } from '../process/build-once.ts'

const run = promisify(execFile)
const canRun = ['bash', 'curl', 'sed'].every((tool) => spawnSync(tool, ['--version']).status === 0)

let tradepost: Tradepost
let guide: string

beforeAll(async () => {
  tradepost = await openTradepost()
  await product(tradepost, {}, { as: tradepost.test, keys: ['GUIDE-000001'] })
  guide = await readFile(join(ROOT, 'docs', 'guides', 'payments.md'), 'utf8')
})
afterAll(() => tradepost.close())

/** Reads the ids that the guide leaves out, with its function `ask`. */
const IDS = {
  'ORDER=ord_…': `ORDER=$(ask "$API/orders?limit=1" | sed 's/.*"id":"\\(ord_[0-9A-Za-z]*\\)".*/\\1/')`,
  'PAYMENT=7': `PAYMENT=$(ask $API/orders/$ORDER/payments | sed 's/.*"payments":\\[{"id":\\([0-9]*\\).*/\\1/')`,
}

test.runIf(canRun)('every call of the payments guide does what the guide says', async () => {
  const { origin } = new URL(await listen(tradepost))
  const [, ...calls] = [...guide.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, code = '']) => code)
  const header = `
API=${origin}/v1 KEY=${tradepost.test.api_key} STORE=${tradepost.test.id}
ask() { curl -sw '\\n' "$@" -H "x-api-key: $KEY" -H "x-store-hash: $STORE" -H 'content-type: application/json'; }
`
  let program = header + calls.join('\n')
  for (const [placeholder, command] of Object.entries(IDS)) {
    expect(program).toContain(placeholder)
    program = program.replace(placeholder, () => command)
  }
  const { stdout } = await run('bash', ['-euc', program])
  const answers: Json[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(answers.filter(({ success }) => !success)).toEqual([])
  const statuses = answers.map(({ order, payment }) => [order.status, payment?.status ?? null])
  expect(statuses).toEqual([
    ['pending', null],
    ['pending', 'pending'],
    ['pending', 'pending'],
    ['pending', null],
    ['completed', 'succeeded'],
    ['completed', null],
    ['completed', 'disputed'],
    ['completed', 'succeeded'],
    ['completed', null],
    ['completed', null],
  ])
  expect(answers.at(-1)?.order).toMatchObject({ refunded_cents: 100, hold: null })
})
