import type { Page } from '../blocks.ts'
import type { ReferenceModel } from '../model.ts'

/** The guide to the Client Security API. */
export const clientSecurity = ({ statuses, areas, publicUrl }: ReferenceModel): Page => ({
  href: '/docs/security',
  title: 'Client Security',
  description: 'License keys, and strings, files and settings that only a licensed program gets.',
  blocks: [
    {
      kind: 'text',
      text: 'The Client Security API protects programs that run on the machines of your customers. It has two halves.',
    },
    {
      kind: 'list',
      items: [
        '**Management** is for your own server. Calls carry an API key that begins with `sec_live_` or `sec_test_`, as `Authorization: Bearer <key>`.',
        '**Runtime** is for shipped programs, which hold no secret. [Runtime calls](/docs/security/runtime) name the app by its public id.',
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
      text: 'Every answer to a program carries `Service-Response-Signature: t=<Unix seconds>,kid=<key>,v1=<signature>`, whatever its status. The signature is Ed25519 with the key of the app, base64url without padding, over these lines joined by a line feed:',
    },
    {
      kind: 'list',
      items: [
        '`client-response/v1`',
        'the public id of the app',
        'the method',
        'the path with its query, from `/client/` on, as it was sent',
        'the `Client-Nonce` that was sent, or `-`',
        'the hex SHA-256 of the body of the request; `-` if the server did not read it whole',
        'the hex SHA-256 of the session token, or `-`',
        'the status',
        '`t`',
        'the hex SHA-256 of the body of the answer',
      ],
    },
    {
      kind: 'text',
      text: 'An answer whose signature does not match this very request is no answer: treat it like a timeout. These answers are never compressed.',
    },
    { kind: 'heading', text: 'Refusals', id: 'refusals' },
    {
      kind: 'text',
      text: 'A refusal has `success` and `error` and nothing else. Programs branch on the status.',
    },
    {
      kind: 'table',
      caption: 'Statuses of refusals',
      head: ['Status', 'Meaning'],
      rows: statuses.map(({ status, means }) => [String(status), means]),
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
