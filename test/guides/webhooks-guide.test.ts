import { execFile, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { sampleOf } from '../../src/events/samples.ts'
import { signatureHeader } from '../../src/sender/signature.ts'
import { now_s } from '../clock.ts'
import { keepPort } from '../ports.ts'
import { buildOnce, ROOT } from '../process/build-once.ts'
import { until } from '../until.ts'

const run = promisify(execFile)
const SECRET = `whsec_${Buffer.alloc(24, 9).toString('base64')}`
const FORMER_SECRET = `whsec_${Buffer.alloc(24, 8).toString('base64')}`
const BODY = JSON.stringify({
  id: 'evt_1',
  type: 'order.completed',
  data: { object: { ...sampleOf('order.completed', 'EUR'), note: 'ü/<"' } },
})
const bytes = Buffer.from(BODY)

/** Valid and invalid deliveries, and whether a verifier must accept them. */
const CASES: { name: string; body?: string; header: () => string; isValid: boolean }[] = [
  { name: 'a delivery', header: () => signatureHeader([SECRET], now_s(), bytes), isValid: true },
  {
    name: 'a delivery during the overlap of a rolled secret',
    header: () => signatureHeader([FORMER_SECRET, SECRET], now_s(), bytes),
    isValid: true,
  },
  {
    name: 'a changed body',
    body: `${BODY} `,
    header: () => signatureHeader([SECRET], now_s(), bytes),
    isValid: false,
  },
  {
    name: 'another secret',
    header: () => signatureHeader([FORMER_SECRET], now_s(), bytes),
    isValid: false,
  },
  {
    name: 'a delivery of 400 seconds ago',
    header: () => signatureHeader([SECRET], now_s() - 400, bytes),
    isValid: false,
  },
  { name: 'no signature', header: () => `t=${now_s()}`, isValid: false },
  {
    name: 'no time',
    header: () => `v1=${createHmac('sha256', SECRET).update(`.${BODY}`).digest('hex')}`,
    isValid: false,
  },
  { name: 'an empty header', header: () => '', isValid: false },
  { name: 'a header with letters instead of a time', header: () => 't=now,v1=ü', isValid: false },
]

let guide: string
let folder: string

beforeAll(async () => {
  guide = await readFile(join(ROOT, 'docs', 'guides', 'webhooks.md'), 'utf8')
  folder = await mkdtemp(join(tmpdir(), 'guide-test-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Returns the program of the guide in a language. */
function codeIn(language: string): string {
  const [, code] = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'm').exec(guide) ?? []
  if (code === undefined) throw new Error(`The guide shows no ${language}.`)
  return code
}

const write = async (name: string, text: string): Promise<string> => {
  const file = join(folder, name)
  await writeFile(file, text)
  return file
}

/** Skips the test if a program is not installed. */
async function requireProgram(context: TestContext, program: string, argument = '--version') {
  await run(program, [argument]).catch(() => context.skip(`${program} is not installed.`))
}

test('the receiver of the guide in Node accepts valid deliveries and refuses the others', async () => {
  await buildOnce()
  const sdk = join(ROOT, 'sdk', 'dist', 'webhooks', 'index.js')
  const file = await write('receiver.mjs', codeIn('js').replace('@tradepost/client/webhooks', sdk))
  const port = await keepPort()
  const env = { ...process.env, WEBHOOK_SECRET: SECRET, PORT: String(port) }
  const receiver = spawn(process.execPath, [file], { env, stdio: 'ignore' })
  try {
    const post = (body: string, header: string) =>
      fetch(`http://127.0.0.1:${port}/hook`, {
        method: 'POST',
        body,
        headers: { 'service-signature': header },
      })
    await until(async () => (await post('', '').catch(() => undefined)) !== undefined)
    // `fetch` cannot send the ü of the last header.
    for (const { name, body = BODY, header, isValid } of CASES.slice(0, -1)) {
      const { status } = await post(body, header())
      expect({ name, status }).toEqual({ name, status: isValid ? 204 : 400 })
    }
  } finally {
    receiver.kill()
    await once(receiver, 'exit')
  }
})

/** Runs a program that reads the cases from a file, and returns its results. */
async function runVerifier(program: string, args: readonly string[]): Promise<unknown> {
  const cases = CASES.map(({ body = BODY, header }) => ({ body, header: header(), secret: SECRET }))
  const file = await write('cases.json', JSON.stringify(cases))
  const { stdout } = await run(program, [...args, file], { cwd: folder })
  return JSON.parse(stdout)
}
const EXPECTED = CASES.map(({ isValid }) => isValid)

describe('the verifier of the guide', () => {
  test('in Python accepts valid deliveries and refuses the others', async (context) => {
    await requireProgram(context, 'python3')
    const file = await write(
      'verify.py',
      `${codeIn('python')}
import json, sys
cases = json.load(open(sys.argv[1], encoding="utf-8"))
print(json.dumps([verify(c["body"].encode(), c["header"], c["secret"]) for c in cases]))
`,
    )
    expect(await runVerifier('python3', [file])).toEqual(EXPECTED)
  })

  test('in PHP accepts valid deliveries and refuses the others', async (context) => {
    await requireProgram(context, 'php')
    const file = await write(
      'verify.php',
      `${codeIn('php')}
$cases = json_decode(file_get_contents($argv[1]), true);
echo json_encode(array_map(fn ($c) => verify($c['body'], $c['header'], $c['secret']), $cases));
`,
    )
    expect(await runVerifier('php', [file])).toEqual(EXPECTED)
  })

  test('in Go accepts valid deliveries and refuses the others', async (context) => {
    await requireProgram(context, 'go', 'version')
    const main = `
func main() {
	type webhook struct{ Body, Header, Secret string }
	var cases []webhook
	text, _ := os.ReadFile(os.Args[1])
	json.Unmarshal(text, &cases)
	results := []bool{}
	for _, c := range cases {
		results = append(results, Verify([]byte(c.Body), c.Header, c.Secret, 300*time.Second))
	}
	json.NewEncoder(os.Stdout).Encode(results)
}
`
    const code = codeIn('go')
      .replace('package webhook', 'package main')
      .replace('\t"encoding/hex"', '\t"encoding/hex"\n\t"encoding/json"\n\t"os"')
    const file = await write('verify.go', `${code}${main}`)
    expect(await runVerifier('go', ['run', file])).toEqual(EXPECTED)
  })
})
