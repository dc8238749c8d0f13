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

beforeAll(async () => {
  tradepost = await openTradepost()
  await product(tradepost, {}, { as: tradepost.test, keys: ['GUIDE-000001'] })
})
afterAll(() => tradepost.close())

test.runIf(canRun)('every call of the mail guide does what the guide says', async () => {
  const guide = await readFile(join(ROOT, 'docs', 'guides', 'mail.md'), 'utf8')
  const { origin } = new URL(await listen(tradepost))
  const [, ...calls] = [...guide.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, code = '']) => code)
  const header = `
API=${origin}/v1 KEY=${tradepost.test.api_key} STORE=${tradepost.test.id}
ask() { curl -sw '\\n' "$@" -H "x-api-key: $KEY" -H "x-store-hash: $STORE" -H 'content-type: application/json'; }
`
  const { stdout } = await run('bash', ['-euc', header + calls.join('\n')], { maxBuffer: 2 ** 24 })
  const answers: Json[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(answers.filter(({ success }) => !success)).toEqual([])
  const [settings, newOrder, list, replaced, preview, sent, restored, outbox, bounced] = answers
  expect(settings.settings).toMatchObject({ mail_api_orders: true, language: 'de' })
  expect(newOrder.order.language).toBe('es')
  expect(list.mail_templates).toHaveLength(36)
  expect([replaced.mail_template.custom, restored.mail_template.custom]).toEqual([true, false])
  expect(preview.text).toContain('Hello Ada Lovelace, your order:')
  expect(sent.to).toBe('you@example.com')
  expect(outbox.messages.map(({ template }: Json) => template)).toEqual([
    'order_paid',
    'order_delivery',
  ])
  expect(outbox.messages[1].text).toContain('GUIDE-000001')
  expect(bounced.messages).toEqual([])
})
