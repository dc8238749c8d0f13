import { useQuery } from '@tanstack/react-query'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  useParams,
} from '@tanstack/react-router'
import { useMemo } from 'react'
import { BASE, call } from '../api/call.ts'
import { type Me, openStore, StoreProvider } from '../api/store.ts'
import { Link, setPages } from '../kit/link.tsx'
import { Page } from '../kit/page.tsx'
import { Failure, Skeleton } from '../kit/states.tsx'
import { common } from '../text/common.ts'
import { shell } from '../text/shell.ts'
import { PAGES } from './pages.ts'
import { Prompts } from './prompts.tsx'
import { Shell } from './shell.tsx'

const useMe = () => useQuery({ queryKey: ['me'], queryFn: () => call<Me>('GET', '/me') })

const NotFound = () => (
  <Page title={shell.notFound}>
    <p>
      <Link to="/">{shell.home}</Link>
    </p>
  </Page>
)

const root = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <Prompts />
    </>
  ),
  errorComponent: ({ error }) => (
    <div className="stores">
      <p>{shell.broken}</p>
      <Failure error={error} retry={() => location.reload()} />
    </div>
  ),
})

const stores = createRoute({ getParentRoute: () => root, path: '/', component: Stores })
const store = createRoute({
  getParentRoute: () => root,
  path: '$store',
  component: OpenStore,
  notFoundComponent: NotFound,
})
const pages = PAGES.map(({ path, load }) =>
  createRoute({
    getParentRoute: () => store,
    path,
    component: lazyRouteComponent(load, 'Page'),
  }),
)

setPages(PAGES.map(({ path }) => path))

export const router = createRouter({
  routeTree: root.addChildren([stores, store.addChildren(pages)]),
  basepath: `${BASE}/dashboard`,
  defaultPreload: 'intent',
  scrollRestoration: true,
  // The server answers 404 itself where no store is named.
  defaultNotFoundComponent: () => <h1>{shell.notFound}</h1>,
  // Lists read their filters as text: `?number=007` stays as it is.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString()
    return text && `?${text}`
  },
})

/** The side of the store that the address names, with its shell. */
function OpenStore() {
  const { store: hash } = useParams({ strict: false }) as { store: string }
  const { data: me, error, refetch } = useMe()
  const side = me?.stores.find(({ id }) => id === hash)
  const context = useMemo(() => me && side && openStore(me, side), [me, side])
  if (error) return <Failure error={error} retry={() => refetch()} />
  if (!me) return <Skeleton />
  if (!context) return <ChooseStore me={me} lead={shell.noStore} />
  return (
    <StoreProvider value={context}>
      <Shell />
    </StoreProvider>
  )
}

function Stores() {
  const { data: me, error, refetch } = useMe()
  if (error) return <Failure error={error} retry={() => refetch()} />
  return me ? <ChooseStore me={me} /> : <Skeleton />
}

const ChooseStore = ({ me, lead }: { me: Me; lead?: string }) => (
  <main className="stores">
    <h1>{shell.chooseStore}</h1>
    {lead && <p role="alert">{lead}</p>}
    <ul className="sheet plain">
      {me.stores.map(({ id, name, livemode, role }) => (
        <li key={id}>
          <a href={`${BASE}/dashboard/${id}`}>
            {name} · {livemode ? common.live : common.testMode}
          </a>{' '}
          <span className="quiet">{role}</span>
        </li>
      ))}
    </ul>
  </main>
)
