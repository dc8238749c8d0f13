import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listen } from '../client/open-client.ts'
import { openUnlimited } from '../contract/prepared-calls.ts'
import type { Tradepost } from '../harness.ts'
import { buildOnce, ROOT } from '../process/build-once.ts'

const run = promisify(execFile)

let tradepost: Tradepost
let folder: string

beforeAll(async () => {
  await buildOnce()
  tradepost = await openUnlimited()
  folder = await mkdtemp(join(tmpdir(), 'client-guide-'))
  await mkdir(join(folder, 'node_modules', '@tradepost'), { recursive: true })
  await symlink(join(ROOT, 'sdk'), join(folder, 'node_modules', '@tradepost', 'client'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await tradepost.close()
})

/** Returns the programs of a guide, concatenated. */
async function readPrograms(guide: string): Promise<string> {
  const text = await readFile(join(ROOT, 'docs', 'guides', guide), 'utf8')
  return [...text.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, code]) => code).join('\n')
}

test('the programs of the client guide print what the guide says', async () => {
  const file = join(folder, 'guide.mjs')
  await writeFile(file, await readPrograms('client.md'))
  const { stdout, stderr } = await run(process.execPath, [file], {
    env: {
      TRADEPOST_URL: await listen(tradepost),
      TRADEPOST_API_KEY: tradepost.live.api_key,
      TRADEPOST_STORE: tradepost.live.id,
    },
  })
  expect(stderr).toBe('')
  expect(stdout.split('\n')).toEqual([
    "completed [ 'AAAA-0001' ]",
    '1 of 1',
    '1999',
    'Only 1 left.',
    'Here 200 application/json; charset=utf-8',
    'true',
    '',
  ])
})
