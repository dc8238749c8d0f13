import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { newNonce, programOf } from '../client-security/program.ts'
import { BASE, made, type Seller, sellerAt } from '../client-security/seller.ts'
import { type Json, openTradepost, type Tradepost } from '../harness.ts'
import { buildOnce, ROOT } from '../process/build-once.ts'

const run = promisify(execFile)

let tradepost: Tradepost
let seller: Seller
let guide: string
let folder: string

beforeAll(async () => {
  await buildOnce()
  tradepost = await openTradepost()
  seller = await sellerAt(tradepost)
  guide = await readFile(join(ROOT, 'docs', 'guides', 'client-security.md'), 'utf8')
  folder = await mkdtemp(join(tmpdir(), 'guide-test-'))
  await mkdir(join(folder, 'node_modules', '@tradepost'), { recursive: true })
  await symlink(join(ROOT, 'sdk'), join(folder, 'node_modules', '@tradepost', 'client'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await tradepost.close()
})

/** All code of the guide in one language, concatenated. */
const shown = (language: string): string =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))]
    .map(([, code]) => code)
    .join('\n')

test('the programs of the guide work as it says', async () => {
  await tradepost.server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = tradepost.server.server.address() as AddressInfo
  const file = join(folder, 'guide.mjs')
  await writeFile(file, shown('js'))
  const { stdout, stderr } = await run(process.execPath, [file], {
    env: {
      TRADEPOST_SECURITY_URL: `http://127.0.0.1:${port}${BASE}`,
      TRADEPOST_SECURITY_KEY: seller.key,
    },
  })
  expect(stderr).toBe('')
  expect(stdout.split('\n')).toEqual([
    'VALID 1',
    'blur(3) sharpen(2)',
    '{ max_layers: 64 }',
    'DEVICE_KEY_MISMATCH',
    '1 []',
    'true 401 false',
    'BANNED',
    '',
  ])
})

/** A signed answer, and copies with one change each, whose signature is invalid. */
async function cases(): Promise<{ fits: boolean; answer: Json }[]> {
  const program = await programOf(tradepost, seller)
  const { signing_keys } = await made(seller.get(`/apps/${program.appId}/signing-keys`))
  const keys = Object.fromEntries(signing_keys.map((key: Json) => [key.kid, key.public_key]))
  const nonce = newNonce()
  const path = `/client/${program.publicId}/validate?x=%31`
  const token = 'a-token-of-some-session'
  const request_body = '{"license_key":"7Q2RD"}'
  const response = await tradepost.server.inject({
    method: 'POST',
    url: `${BASE}${path}`,
    headers: {
      'client-nonce': nonce,
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
    },
    payload: request_body,
  })
  const answer = {
    keys,
    app_id: program.publicId,
    method: 'POST',
    path,
    nonce,
    request_body,
    token,
    status: response.statusCode,
    header: String(response.headers['service-response-signature']),
    body: response.body,
  }
  const changes: Json[] = [
    { keys: {} },
    { app_id: 'app_0000000000000000000000' },
    { method: 'GET' },
    { path: path.replace('%31', '1') },
    { nonce: '-' },
    { request_body: `${request_body} ` },
    { request_body: '' },
    { token: null },
    { token: 'another-token' },
    { status: 403 },
    { header: answer.header.replace(/t=\d/, 't=9') },
    { header: `${answer.header.slice(0, -4)}AAAA` },
    { header: '' },
    { body: `${answer.body} ` },
  ]
  return [
    { fits: true, answer },
    ...changes.map((change) => ({ fits: false, answer: { ...answer, ...change } })),
  ]
}

/** The results of a program in another language, by case. */
async function judged(program: string, source: string): Promise<[unknown, boolean[]]> {
  const all = await cases()
  const input = join(folder, 'cases.json')
  await writeFile(input, JSON.stringify(all.map(({ answer }) => answer)))
  const file = join(folder, 'verify')
  await writeFile(file, source)
  const { stdout } = await run(program, [file, input])
  return [JSON.parse(stdout), all.map(({ fits }) => fits)]
}

async function onThisMachine(context: TestContext, program: string, args: string[]) {
  await run(program, args).catch(() => context.skip(`${program} cannot do this here.`))
}

describe('the verifier shown in', () => {
  test('Python accepts only signed answers', async (context) => {
    await onThisMachine(context, 'python3', ['-c', 'import cryptography'])
    const [said, expected] = await judged(
      'python3',
      `${shown('python')}
import json, sys
cases = json.load(open(sys.argv[1], encoding="utf-8"))
texts = ["request_body", "body"]
print(json.dumps([is_signed(**{**c, **{name: c[name].encode() for name in texts}}) for c in cases]))
`,
    )
    expect(said).toEqual(expected)
  })

  test('PHP accepts only signed answers', async (context) => {
    await onThisMachine(context, 'php', ['-r', 'exit(extension_loaded("sodium") ? 0 : 1);'])
    const [said, expected] = await judged(
      'php',
      `${shown('php')}
$cases = json_decode(file_get_contents($argv[1]), true);
echo json_encode(array_map(fn ($c) => is_signed(...$c), $cases));
`,
    )
    expect(said).toEqual(expected)
  })
})
