import type { ReferencePage } from '../blocks.ts'
import type { ReferenceModel } from '../model.ts'

/** The guide to the Client Security API. */
export const clientSecurity = ({ statuses, areas, publicUrl }: ReferenceModel): ReferencePage => ({
  href: '/docs/security',
  title: 'Client Security',
  description: 'License keys, and strings, files and settings for licensed programs only.',
  blocks: [
    {
      kind: 'text',
      text: 'The Client Security API protects programs that run on the machines of your customers. It has two halves.',
    },
    {
      kind: 'list',
      items: [
        '**Management** is for your own server. Calls are authenticated by an API key that begins with `sec_live_` or `sec_test_`, in the header `Authorization: Bearer <key>`.',
        '**Runtime** is for the programs that you ship, which contain no secret. [Runtime calls](/docs/security/runtime) identify the app by its public id.',
      ],
    },
    {
      kind: 'samples',
      samples: [
        {
          label: 'curl',
          language: 'sh',
          text: `curl ${publicUrl}/security/v1/apps \\\n  -H "Authorization: Bearer $TRADEPOST_SECURITY_KEY"`,
        },
        {
          label: 'TypeScript',
          language: 'ts',
          text: `import { createManagementClient } from '@tradepost/client/client-security/management'\n\n// On your server.\nconst management = createManagementClient({\n  url: '${publicUrl}/security/v1',\n  apiKey: process.env.TRADEPOST_SECURITY_KEY,\n})\n\nconst { apps } = await management.apps.list()`,
        },
        {
          label: 'TypeScript, in a program',
          language: 'ts',
          text: `import { ClientSecurity } from '@tradepost/client/client-security'\n\n// In the program that you ship. The keys are the public signing keys of the app.\nconst program = new ClientSecurity({\n  url: '${publicUrl}/security/v1',\n  appId: 'app_0351dop112bI57mNnoDiod',\n  keys: SIGNING_KEYS,\n  fingerprint: machineFingerprint,\n})`,
        },
      ],
    },
    { kind: 'heading', text: 'Signed answers', id: 'signed-answers' },
    {
      kind: 'text',
      text: 'Every answer to a program has the header `Service-Response-Signature: t=<Unix seconds>,kid=<key>,v1=<signature>`, with any status. `v1` is an Ed25519 signature with the key of the app, in base64url without padding. The signed text is these lines, joined by a line feed:',
    },
    {
      kind: 'list',
      items: [
        '`client-response/v1`',
        'the public id of the app',
        'the method of the request',
        'the path with its query as it was sent, from `/client/` on',
        'the header `Client-Nonce` of the request, or `-`',
        'the hex SHA-256 of the body of the request; `-` if the server did not read the whole body',
        'the hex SHA-256 of the session token, or `-`',
        'the status of the answer',
        '`t` of the header',
        'the hex SHA-256 of the body of the answer',
      ],
    },
    {
      kind: 'text',
      text: 'If the signature does not match the request, ignore the answer and treat the call like a timeout. These answers are never compressed.',
    },
    {
      kind: 'text',
      text: 'Programs in web pages of any origin may make the runtime calls: preflight requests are answered, without cookies, and pages may read the signature. Pages cannot make other calls of this server.',
    },
    { kind: 'heading', text: 'Refusals', id: 'refusals' },
    {
      kind: 'text',
      text: 'A refusal has only the fields `success` and `error`. Programs should branch on the status.',
    },
    {
      kind: 'table',
      caption: 'Statuses of refusals',
      head: ['Status', 'Meaning'],
      rows: statuses.map(({ status, meaning }) => [String(status), meaning]),
      ids: statuses.map(({ status }) => `status-${status}`),
    },
    {
      kind: 'links',
      title: 'Areas',
      id: 'areas',
      rows: areas
        .filter(({ api }) => api === 'security')
        .map(({ name, href, description }) => ({ title: name, href, about: description })),
    },
  ],
})
