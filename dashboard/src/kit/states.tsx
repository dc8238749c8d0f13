import { useRouterState } from '@tanstack/react-router'
import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useContext,
  useEffect,
  useState,
} from 'react'
import { NoIdError, TradepostError } from '../api/store.ts'
import { fill } from '../text/catalogue.ts'
import { common } from '../text/common.ts'
import { connection } from '../text/connection.ts'
import { useConnection } from './connection.tsx'
import { Link, listAbove } from './link.tsx'
import { Copy, ErrorCode } from './show.tsx'

const SKELETON_DELAY_MS = 150
/** After this time a sentence says that the answer is slow. */
const SLOW_MS = 2_000

/** True once this time has passed since the first render. */
function useHasPassed(delay_ms: number): boolean {
  const [hasPassed, setPassed] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), delay_ms)
    return () => clearTimeout(timer)
  }, [delay_ms])
  return hasPassed
}

/** True once an answer takes longer than usual. */
export const useIsSlow = () => useHasPassed(SLOW_MS)

/**
 * Placeholders of the height of real rows. They take up their space at once, so that nothing below them moves. They
 * become visible after a delay, so that they do not flicker if the answer is quick. A slow answer is named in their first
 * row.
 */
export function Skeleton({ rows = 6 }: { rows?: number }) {
  const isShown = useHasPassed(SKELETON_DELAY_MS)
  const isSlow = useIsSlow()
  const { isSilent } = useConnection()
  const keys = Array.from({ length: rows }, (_, index) => `row ${index}`)
  return (
    <div className={isShown ? 'skeleton' : 'skeleton hidden'} aria-busy={!isSlow}>
      <p role="status">{isSlow && (isSilent ? connection.silent : connection.slow)}</p>
      {keys.map((key) => (
        <div key={key} />
      ))}
    </div>
  )
}

interface EmptyProps {
  children: ReactNode
  action?: ReactNode
  /** A line of code that creates the first record. */
  code?: string | undefined
}

/** The content of an empty list: a sentence, and the next step. */
export const Empty = ({ children, action, code }: EmptyProps) => (
  <div className="empty">
    <p>{children}</p>
    {action}
    {code !== undefined && <Copy block text={code} label={common.sampleCode} />}
  </div>
)

/** The labels of the filters of a list, by their names in the address. */
export const FilterLabels = createContext<Readonly<Record<string, string>>>({})

/** The part of a path before the pages of a store. */
const BELOW_STORE = /^(?:.*\/dashboard)?\/[^/]+/
/** True if there is no record with the id. A malformed one, such as `abc`, cannot be sent. */
export const isNoRecord = (error: unknown): boolean =>
  error instanceof NoIdError || (error instanceof TradepostError && error.status === 404)

/** The reason why a part of a page failed. The other parts still work. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const refusal = error instanceof TradepostError ? error : undefined
  const { searchStr, pathname } = useRouterState({ select: ({ location }) => location })
  const path = pathname.replace(BELOW_STORE, '')
  const list = listAbove(path)
  const labels = useContext(FilterLabels)
  const isMissing = retry !== undefined && isNoRecord(error)
  const wrongName = retry && refusal && wrongNameIn(searchStr, refusal)
  return (
    <div className="failure" role="alert" tabIndex={-1}>
      <p>
        {isMissing
          ? common.noRecord
          : wrongName === undefined
            ? sentenceOf(error)
            : wrongAddress(wrongName, labels)}
      </p>
      <p className="secondary-text">
        {refusal && refusal.code !== 'REFUSED' && <ErrorCode code={refusal.code} />}{' '}
        {refusal?.requestId && <Copy text={refusal.requestId} label={common.requestId} />}
      </p>
      {isMissing && list && <Link to={list.to}>{fill(common.backTo, { list: list.label })}</Link>}
      {wrongName !== undefined && <Link to={path}>{common.clearFilters}</Link>}
      {retry && !isMissing && wrongName === undefined && (
        <button type="button" onClick={retry}>
          {common.tryAgain}
        </button>
      )}
    </div>
  )
}

const wrongAddress = (name: string, labels: Readonly<Record<string, string>>): string =>
  name === 'sort' ? common.wrongSort : fill(common.wrongFilter, { name: labels[name] ?? name })

/** The filter or sort in the address that the API refused; undefined if it refused something else. */
function wrongNameIn(search: string, { status, field, message }: TradepostError) {
  if (status !== 400 && status !== 422) return undefined
  // The Client Security API has no codes: its text begins with the field.
  const name = field ?? /^\w+(?=:)/.exec(message)?.[0]
  return name !== undefined && new URLSearchParams(search).has(name) ? name : undefined
}

/** The words of permissions are loaded when a role lacks one. Without a connection, only the name is shown. */
const PermissionInWords = lazy(() =>
  import('./missing-permission.tsx').then(
    (code) => ({ default: code.MissingPermission }),
    () => ({ default: ({ permission }: { permission: string }) => <code>{permission}</code> }),
  ),
)

/** Says that the role lacks a permission, which one, and who can change that. */
const MissingPermission = ({ permission }: { permission: string }) => (
  <>
    {common.notAllowed}{' '}
    <Suspense>
      <PermissionInWords permission={permission} />
    </Suspense>
  </>
)

/** The text in place of the actions of an area that the role may only read. */
export const NotAllowed = ({ area }: { area: string }) => (
  <span className="secondary-text">
    <MissingPermission permission={`${area}:write`} />
  </span>
)

/** The reason of a refusal in a sentence. */
export function sentenceOf(error: unknown): ReactNode {
  if (!(error instanceof TradepostError)) return common.failed
  if (error.code === 'INSUFFICIENT_SCOPE') {
    const { required } = error.details ?? {}
    return required === undefined ? (
      common.notAllowed
    ) : (
      <MissingPermission permission={String(required)} />
    )
  }
  if (error.status === 429) return fill(common.tooMany, { n: error.retryAfter_s ?? 60 })
  // A 503 says what does not answer, such as a payment provider, and when to repeat the call.
  if (error.status >= 500 && error.status !== 503) return common.failed
  if (error.code === 'FEATURE_NOT_ENABLED') return `${common.featureOff} ${error.message}`
  return error.message
}

/** True for components below the heading of a page. */
export const BelowHeading = createContext(false)

/** The result of a query, as `Loaded` needs it. */
export interface Read<Answer> {
  data: Answer | undefined
  error: Error | null
  isFetching: boolean
  refetch(): unknown
}

/**
 * Shows the data, a loading state, or the error. Shown data stays while it is fetched again. If the
 * record of a page cannot be read, its heading is made here, because the page's own heading
 * contains the name of the record.
 */
export function Loaded<Answer>({
  read,
  rows,
  children,
}: {
  read: Read<Answer>
  rows?: number
  children: (answer: Answer) => ReactNode
}) {
  const { data, error, isFetching, refetch } = read
  const isBelowHeading = useContext(BelowHeading)
  const { isOnline } = useConnection()
  const failure = <Failure error={error} retry={() => refetch()} />
  if (data !== undefined) {
    return (
      <div className={isFetching ? 'refreshing' : undefined}>
        {/* Without a connection the notice bar on top of the page says so, once for all parts. */}
        {error && isOnline && failure}
        {children(data)}
      </div>
    )
  }
  if (isOnline && !error) return <Skeleton {...(rows !== undefined && { rows })} />
  return (
    <>
      {!isBelowHeading && <h1 tabIndex={-1}>{common.notShown}</h1>}
      {isOnline ? failure : <Empty>{connection.notLoaded}</Empty>}
    </>
  )
}
