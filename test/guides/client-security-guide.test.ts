import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { createProgram, newNonce } from '../client-security/program.ts'
import { BASE, createSeller, type Seller } from '../client-security/seller.ts'
import { expectSuccess, type Json, openTradepost, type Tradepost } from '../harness.ts'
import { buildOnce, ROOT } from '../process/build-once.ts'

const run = promisify(execFile)

let tradepost: Tradepost
let seller: Seller
let url: string
let guide: string
let folder: string

beforeAll(async () => {
  await buildOnce()
  tradepost = await openTradepost()
  seller = await createSeller(tradepost)
  await tradepost.server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = tradepost.server.server.address() as AddressInfo
  url = `http://127.0.0.1:${port}${BASE}`
  guide = await readFile(join(ROOT, 'docs', 'guides', 'client-security.md'), 'utf8')
  folder = await mkdtemp(join(tmpdir(), 'guide-test-'))
  await mkdir(join(folder, 'node_modules', '@tradepost'), { recursive: true })
  await symlink(join(ROOT, 'sdk'), join(folder, 'node_modules', '@tradepost', 'client'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await tradepost.close()
})

/** Returns the code of the guide in one language, concatenated. */
const codeIn = (language: string): string =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))]
    .map(([, code]) => code)
    .join('\n')

test('the programs of the Client Security guide print what the guide says', async () => {
  const file = join(folder, 'guide.mjs')
  await writeFile(file, codeIn('js'))
  const { stdout, stderr } = await run(process.execPath, [file], {
    env: {
      TRADEPOST_SECURITY_URL: url,
      TRADEPOST_SECURITY_KEY: seller.key,
    },
  })
  expect(stderr).toBe('')
  expect(stdout.split('\n')).toEqual([
    'VALID 1',
    'blur(3) sharpen(2)',
    '{ max_layers: 64 }',
    'DEVICE_KEY_MISMATCH',
    'null true',
    '1 []',
    'true 401 false',
    'BANNED',
    '',
  ])
})

/** Returns a signed answer, and copies with one change each, whose signature is invalid. */
async function createCases(): Promise<{ isValid: boolean; answer: Json }[]> {
  const program = await createProgram(tradepost, seller)
  const { signing_keys } = await expectSuccess(seller.get(`/apps/${program.appId}/signing-keys`))
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
    { isValid: true, answer },
    ...changes.map((change) => ({ isValid: false, answer: { ...answer, ...change } })),
  ]
}

/** Runs a verifier in another language. Returns its results and the expected ones. */
async function runVerifier(program: string, source: string): Promise<[unknown, boolean[]]> {
  const cases = await createCases()
  const input = join(folder, 'cases.json')
  await writeFile(input, JSON.stringify(cases.map(({ answer }) => answer)))
  const file = join(folder, 'verify')
  await writeFile(file, source)
  const { stdout } = await run(program, [file, input])
  return [JSON.parse(stdout), cases.map(({ isValid }) => isValid)]
}

/** Skips the test if a program is not installed. */
async function requireProgram(context: TestContext, program: string, args: string[]) {
  await run(program, args).catch(() =>
    context.skip(`${program} with its cryptography is not installed.`),
  )
}

describe('the verifier of the guide', () => {
  test('in Python accepts only signed answers', async (context) => {
    await requireProgram(context, 'python3', ['-c', 'import cryptography'])
    const [output, expected] = await runVerifier(
      'python3',
      `${codeIn('python')}
import json, sys
cases = json.load(open(sys.argv[1], encoding="utf-8"))
texts = ["request_body", "body"]
print(json.dumps([is_signed(**{**c, **{name: c[name].encode() for name in texts}}) for c in cases]))
`,
    )
    expect(output).toEqual(expected)
  })

  test('in Python makes the calls of a session, and refuses an answer that is not signed', async (context) => {
    await requireProgram(context, 'python3', ['-c', 'import cryptography'])
    const program = await createProgram(tradepost, seller)
    const { signing_keys } = await expectSuccess(seller.get(`/apps/${program.appId}/signing-keys`))
    const keys = Object.fromEntries(signing_keys.map((key: Json) => [key.kid, key.public_key]))
    const file = join(folder, 'call.py')
    await writeFile(
      file,
      `${codeIn('python')}
import sys
url, app_id, keys, license_key = json.loads(sys.argv[1])
device = {"fingerprint": "a-machine-of-the-test"}
status, answer = call(url, app_id, keys, "POST", "/sessions", {"license_key": license_key, "device": device})
print(status, answer["code"])
status, answer = call(url, app_id, keys, "POST", "/sessions/heartbeat", token=answer["session"]["token"])
print(status, answer["code"])
try:
    call(url, app_id, {}, "POST", "/validate", {"license_key": license_key})
except ValueError as error:
    print(error)
`,
    )
    const created = await expectSuccess(seller.post('/keys', { app_id: program.appId }))
    const argument = JSON.stringify([url, program.publicId, keys, created.keys[0].key])
    const { stdout } = await run('python3', [file, argument])
    expect(stdout.split('\n')).toEqual([
      '200 VALID',
      '200 VALID',
      'The answer is not signed for this call.',
      '',
    ])
  })

  test('in PHP accepts only signed answers', async (context) => {
    await requireProgram(context, 'php', ['-r', 'exit(extension_loaded("sodium") ? 0 : 1);'])
    const [output, expected] = await runVerifier(
      'php',
      `${codeIn('php')}
$cases = json_decode(file_get_contents($argv[1]), true);
echo json_encode(array_map(fn ($c) => is_signed(...$c), $cases));
`,
    )
    expect(output).toEqual(expected)
  })
})
