// The service worker of the dashboard. It stores nothing: it only answers a navigation that the server does not
// answer with a page that waits for the server.

interface FetchEvent extends Event {
  request: Request
  respondWith(response: Promise<Response>): void
}

const TEXTS: Record<string, readonly [title: string, lead: string, again: string]> = {
  en: ['The server does not answer', 'This page opens once the server answers.', 'Open now'],
  de: [
    'Der Server antwortet nicht',
    'Diese Seite öffnet sich, sobald der Server antwortet.',
    'Jetzt öffnen',
  ],
  es: [
    'El servidor no responde',
    'Esta página se abre cuando el servidor responda.',
    'Abrir ahora',
  ],
}

const search = new URL(location.href).searchParams
const language = search.get('language') ?? 'en'
const base = new URL('.', location.href).pathname
const PROBE_INTERVAL_MS = 2_000

/** The scripts of the page are in it, because no other file can be loaded now. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'"

const STYLE = `:root { color-scheme: light dark }
body { display: grid; place-items: start center; margin: 0; padding: 10vh 1rem; background: light-dark(#e6ebe8, #0e1412); color: light-dark(#121a17, #e8f0eb); font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 26rem; padding: 1.5rem; border: 1px solid light-dark(#cbd5cf, #2b3631); border-radius: 6px; background: light-dark(#fff, #161d1a) }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25 }
button { min-height: 44px; padding: .25rem .75rem; border: 0; border-radius: 4px; background: light-dark(#1b3fc4, #8fa8ff); color: light-dark(#fff, #0e1412); font: inherit; font-weight: 600; cursor: pointer }`

const SCRIPT = `const again = () => location.reload()
document.querySelector('button').addEventListener('click', again)
const probe = () => fetch('${base}api/me').then((answer) => answer.status !== 503 && answer.headers.has('x-request-id') ? again() : wait(), wait)
const wait = () => setTimeout(probe, ${PROBE_INTERVAL_MS})
wait()`

function waitingPage(): Response {
  const [title, lead, again] = TEXTS[language] ?? TEXTS.en ?? ['', '', '']
  const page = `<!doctype html><html lang="${language in TEXTS ? language : 'en'}"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} · Tradepost</title><style>${STYLE}</style><main><h1>${title}</h1><p role="status">${lead}</p><button type="button">${again}</button></main><script>${SCRIPT}</script></html>`
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': CONTENT_SECURITY_POLICY,
  }
  return new Response(page, { status: 503, headers })
}

/** True for the error page of a proxy that cannot reach the server, and for the answer of a server that starts. */
const isUnavailable = ({ status, headers }: Response) =>
  status === 503 || ([502, 504].includes(status) && !headers.has('x-request-id'))

async function navigate(request: Request): Promise<Response> {
  try {
    const response = await fetch(request)
    return isUnavailable(response) ? waitingPage() : response
  } catch {
    return waitingPage()
  }
}

addEventListener('fetch', (event) => {
  const { request } = event as FetchEvent
  if (request.mode !== 'navigate' || request.method !== 'GET') return
  ;(event as FetchEvent).respondWith(navigate(request))
})

export {}
