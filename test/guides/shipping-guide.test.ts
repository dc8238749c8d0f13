import { execFile, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen } from '../client/open-client.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { ROOT } from '../process/build-once.ts'

const run = promisify(execFile)
const canRun = ['bash', 'curl', 'sed'].every((tool) => spawnSync(tool, ['--version']).status === 0)

let tradepost: Tradepost
let guide: string

beforeAll(async () => {
  tradepost = await openTradepost()
  guide = await readFile(join(ROOT, 'docs', 'guides', 'shipping.md'), 'utf8')
})
afterAll(() => tradepost.close())

const codeBlocksIn = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(
    ([, code = '']) => code,
  )

/** Reads the ids of an order and of its item from the last answer, with the function `ask` of the guide. */
const READ_ORDER = `
[ -n "$last" ] || last=$(ask "$API/orders?limit=1")
ORDER=$(echo "$last" | sed 's/.*"order[s]*":.*\\(ord_[0-9A-Za-z]*\\)".*/\\1/')
ITEM=$(echo "$last" | sed 's/.*"items":\\[{"id":\\([0-9]*\\).*/\\1/')`

test.runIf(canRun)(
  'every call of the shipping guide has the answer that the guide shows',
  async () => {
    const { origin } = new URL(await listen(tradepost))
    const [, ...calls] = codeBlocksIn('sh')
    const header = `
API=${origin}/v1 KEY=${tradepost.live.api_key} STORE=${tradepost.live.id}
ask() { curl -sw '\\n' "$@" -H "x-api-key: $KEY" -H "x-store-hash: $STORE" -H 'content-type: application/json'; }
`
    const program = header + calls.join('\n').replace('ORDER=ord_… ITEM=7', READ_ORDER)
    expect(program).toContain(READ_ORDER)
    const { stdout } = await run('bash', ['-euc', `last=\n${program}`])
    const answers: Json[] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))

    const refused = answers.filter((item) => !item.success)
    expect(refused.map((item) => item.details?.field)).toEqual(['regions.FR'])
    for (const text of codeBlocksIn('json')) {
      const { request_id: _, ...answer } = JSON.parse(text)
      expect(answers).toContainEqual(expect.objectContaining(answer))
    }
    const { order } = answers.filter((item) => item.order).at(-1) ?? {}
    expect(order.shipping_cents).toBe(590)
    const { json } = await tradepost.get(`/orders/${order.id}`)
    expect(json.order).toMatchObject({ status: 'completed', fulfillment_status: 'fulfilled' })
  },
)
