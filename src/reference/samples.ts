import type { Sample } from './blocks.ts'
import type { Operation, ReferenceModel } from './model.ts'

/** Returns a sample call in each language of the reference. */
export function samplesOf(operation: Operation, model: ReferenceModel): Sample[] {
  const typescript = typescriptOf(operation)
  return [
    { label: 'curl', language: 'sh', text: curlOf(operation, model) },
    ...(typescript === undefined
      ? []
      : [{ label: 'TypeScript', language: 'ts' as const, text: typescript }]),
  ]
}

const HEADERS_BY_CREDENTIAL: Record<Operation['credential'], string[]> = {
  'store key': ['x-api-key: $TRADEPOST_API_KEY', 'x-store-hash: $TRADEPOST_STORE'],
  'security key': ['Authorization: Bearer $TRADEPOST_SECURITY_KEY'],
  session: ['Authorization: Bearer $SESSION_TOKEN'],
  none: [],
}

const NONCE = "Client-Nonce: $(openssl rand -base64 32 | tr '+/' '-_' | tr -d '=')"

function curlOf(operation: Operation, { publicUrl }: ReferenceModel): string {
  const { method, credential, body, answer } = operation
  const needsNonce = operation.parameters.header.some(({ name }) => name === 'Client-Nonce')
  const isJson = body?.forms.some(({ type }) => type === 'application/json')
  const lines = [
    `curl ${quotedUrl(publicUrl + pathWith(operation, '$TRADEPOST_APP') + queryOf(operation))}`,
    ...(method === 'GET' || (method === 'POST' && body) ? [] : [`-X ${method}`]),
    ...[...HEADERS_BY_CREDENTIAL[credential], ...(needsNonce ? [NONCE] : [])].map(
      (header) => `-H "${header}"`,
    ),
    ...(body && isJson
      ? [
          '-H "content-type: application/json"',
          `-d ${shellText(JSON.stringify(body.example ?? {}, null, 2))}`,
        ]
      : []),
    ...(body && !isJson ? ['-F file=@editor.zip', ...formFields(operation)] : []),
    ...(answer.type === 'application/octet-stream' ? ['-o editor.zip'] : []),
  ]
  return lines.join(' \\\n  ')
}

/** Returns arguments for the required text fields of a form with a file. */
const formFields = ({ body }: Operation): string[] =>
  (body?.forms.find(({ type }) => type === 'multipart/form-data')?.fields ?? [])
    .filter(({ name, required }) => required && name !== 'file')
    .map(({ name }) => `-F ${name}=editor`)

/** Quotes a URL only if the shell needs it. A variable is expanded only within double quotes. */
function quotedUrl(url: string): string {
  if (url.includes('$')) return `"${url}"`
  return /[?&]/.test(url) ? shellText(url) : url
}

/** Quotes a text for the shell. */
const shellText = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

function pathWith({ path, ids }: Operation, app: string): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'public_id' ? app : encodeURIComponent(String(ids[name] ?? name)),
  )
}

/** Returns a query with the required parameters. */
function queryOf({ parameters }: Operation): string {
  const requiredParameters = parameters.query.filter((item) => item.required)
  if (requiredParameters.length === 0) return ''
  return `?${requiredParameters.map(({ name, values }) => `${name}=${values[0] ?? 'editor'}`).join('&')}`
}

function typescriptOf(operation: Operation): string | undefined {
  if (operation.credential === 'store key') return clientCall('tradepost', operation)
  if (operation.credential === 'security key') return clientCall('management', operation)
  return PROGRAM_CALLS[operation.id]
}

/**
 * Sample calls of `@tradepost/client/client-security`, by operation. The client makes the other calls
 * automatically, or has no method for them.
 */
const PROGRAM_CALLS: Record<string, string> = {
  'client.start_session':
    "const answer = await program.start('7Q2RD-M0V4K-8XHTA-1WZ9C-5NEJG', {\n  app_version: '1.4.2',\n})",
  'client.heartbeat': 'const answer = await program.heartbeat()',
  'client.end_session': 'await program.end()',
  'client.validate': "const answer = await program.validate('7Q2RD-M0V4K-8XHTA-1WZ9C-5NEJG')",
  'client.read_string': "const text = await program.string('editor-1')",
  'client.fetch_file': "const bytes = await program.file('editor-1')",
  'client.read_settings': 'const settings = await program.settings()',
  'client.report': "await program.report('crash', 'The editor closed while saving.')",
  'client.issue_file': 'const file = await program.licenseFile(86_400)',
}

const camelCase = (text: string): string =>
  text.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Fields of answers that cannot be used as names of variables. */
const RESERVED = /^(return|export|import|default|delete)$/

/** Returns a call of a method of the generated clients. */
function clientCall(client: string, { id, ids, body, answer }: Operation): string {
  const [area = '', verb = ''] = id.split('.')
  const argumentTexts = [
    ...Object.values(ids).map(typescriptLiteral),
    ...(body && (body.required || body.example !== undefined) ? [bodyOf(body)] : []),
  ]
  const call = `await ${client}.${camelCase(area)}.${camelCase(verb)}(${argumentTexts.join(', ')})`
  const names = answer.fields.map(({ name }) => name)
  const variables = names.map((name) => (RESERVED.test(name) ? `${name}: answer` : name))
  return names.length > 0 && names.length <= 3
    ? `const { ${variables.join(', ')} } = ${call}`
    : call
}

/** Returns the argument for a body. A file is the variable `file`. */
function bodyOf({ forms, example }: NonNullable<Operation['body']>): string {
  const isJson = forms.some(({ type }) => type === 'application/json')
  if (isJson) return typescriptLiteral(example ?? {})
  const form = forms.find(({ type }) => type === 'multipart/form-data')
  const texts = (form?.fields ?? []).filter(({ name, required }) => required && name !== 'file')
  return `{ ${['file', ...texts.map(({ name }) => `${name}: 'editor'`)].join(', ')} }`
}

const indent = (text: string): string => text.replaceAll('\n', '\n  ')

/** Longer literals have a line for each item. */
const LINE_MAX = 60

/** Returns a value as a TypeScript literal. */
function typescriptLiteral(value: unknown): string {
  if (typeof value === 'string') {
    const text = value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')
    return `'${text}'`
  }
  if (Array.isArray(value)) {
    const items = value.map(typescriptLiteral)
    const line = `[${items.join(', ')}]`
    return line.length < LINE_MAX && !line.includes('\n')
      ? line
      : `[\n${items.map((item) => `  ${indent(item)},`).join('\n')}\n]`
  }
  if (value === null || typeof value !== 'object') return String(value)
  const entries = Object.entries(value).map(
    ([name, item]) => `${nameOf(name)}: ${typescriptLiteral(item)}`,
  )
  const line = `{ ${entries.join(', ')} }`
  if (entries.length === 0) return '{}'
  return line.length < LINE_MAX && !line.includes('\n')
    ? line
    : `{\n${entries.map((item) => `  ${indent(item)},`).join('\n')}\n}`
}

const nameOf = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) ? name : typescriptLiteral(name)
