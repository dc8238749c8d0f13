import { onlineManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BASE, NONCE } from './api/base.ts'
import { connection, watchConnection } from './api/connection.ts'
import { prepareStream } from './api/stream.ts'
import { ME_QUERY, router } from './app/router.tsx'
import { preparePage } from './kit/link.tsx'
import { language } from './text/catalogue.ts'
import './styles/index.css'

// Dialogs add a style that stops the page behind them from scrolling.
setNonce(NONCE)

const STALE_AFTER_MS = 10_000
const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: STALE_AFTER_MS, retry: false },
    // Changes wait in `api/connection.ts`, where they can be cancelled.
    mutations: { networkMode: 'always' },
  },
})

// Reads pause while the server does not answer. `navigator.onLine` is false without a network, also if the server
// is on the same machine.
onlineManager.setEventListener((setOnline) => {
  watchConnection()
  return connection.subscribe(() => setOnline(connection.get().isOnline))
})

/** The longest wait for the user and the code of the page. Then the page is drawn with its loading state. */
const FIRST_DRAW_WAIT_MS = 500

const [storeId = '', ...pathParts] = location.pathname.slice(`${BASE}/dashboard/`.length).split('/')
const pathBelowStore = pathParts.map((part) => `/${part}`).join('')

/**
 * Loads the user and the code of the page at the same time, so that the page is drawn once instead of three times.
 * Its live updates begin meanwhile, so that nothing is read again because of them.
 */
async function start() {
  await Promise.race([
    Promise.all([
      queries.prefetchQuery(ME_QUERY),
      preparePage(pathBelowStore),
      storeId === '' || prepareStream(storeId),
    ]),
    new Promise((resolve) => setTimeout(resolve, FIRST_DRAW_WAIT_MS)),
  ])
  const container = document.getElementById('app')
  if (!container) throw new Error('The page has no element "app".')
  createRoot(container).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}

/** Without it a navigation while the server is down would end on the error page of the browser. */
function registerWorker() {
  const url = `${BASE}/dashboard/worker.js?language=${language}`
  // It exists only on https and on this machine, and the browser may refuse it.
  navigator.serviceWorker?.register(url).catch(() => {})
}

addEventListener('load', registerWorker)

// Not awaited here: the code of a page imports this module, and would wait for it.
void start()
