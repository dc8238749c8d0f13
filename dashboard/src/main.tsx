import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { NONCE } from './api/call.ts'
import { router } from './app/router.tsx'
import './styles/index.css'

// Dialogs add a style that stops the page behind them from scrolling.
setNonce(NONCE)

const FRESH_MS = 10_000
const queries = new QueryClient({
  defaultOptions: { queries: { staleTime: FRESH_MS, retry: false } },
})

const place = document.getElementById('app')
if (!place) throw new Error('The page has no element "app".')
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
