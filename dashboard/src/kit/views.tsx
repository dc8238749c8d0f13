import { useRouterState } from '@tanstack/react-router'
import { dashboardRequest } from '../api/action.ts'
import type { SavedView } from '../api/dashboard.ts'
import { useRead, useStore } from '../api/store.ts'
import { fill } from '../text/catalogue.ts'
import { common } from '../text/common.ts'
import { lists } from '../text/lists.ts'
import { savedViews } from '../text/saved-views.ts'
import { Action } from './action.tsx'
import { Failure } from './states.tsx'

/** A named set of filters, shown above the list. */
export interface View {
  label: string
  query: Record<string, string>
}

interface ViewsProps {
  /**
   * The views that every user has. If each of them has filters, a view of all records is added before them.
   */
  views: readonly View[]
  /** The current filters. */
  filterValues: Record<string, string>
  setSearch(next: Record<string, string>): void
}

/** A query as text, with sorted names, so that equal filters have equal texts. */
const sortedText = (query: Record<string, string>) => {
  const sorted = new URLSearchParams(query)
  sorted.sort()
  return sorted.toString()
}

/** The path of the open list, such as `orders`; undefined for a list within a record. */
function useListPath(): string | undefined {
  const { id } = useStore()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const [, page = ''] = path.split(`/${id}/`)
  return /^[a-z][a-z0-9/-]*$/.test(page) ? page : undefined
}

const queryOf = (text: string) => Object.fromEntries(new URLSearchParams(text))

/** The views of a list: the built-in views, and those that the user saved. */
export function Views({ views, filterValues, setSearch }: ViewsProps) {
  const listPath = useListPath()
  const {
    data: userViews = [],
    error,
    refetch,
  } = useRead(
    ['saved_views', listPath],
    async ({ readDashboard }) => {
      const { saved_views } = await readDashboard<'saved_views.list'>('/saved-views', {
        page: listPath,
      })
      return saved_views
    },
    { enabled: listPath !== undefined },
  )
  const currentQuery = sortedText(filterValues)
  const hasViewOfAll = views.length === 0 || views.some(({ query }) => sortedText(query) === '')
  const builtInViews = hasViewOfAll ? views : [{ label: common.all, query: {} }, ...views]
  const savedView = userViews.find(({ query }) => sortedText(queryOf(query)) === currentQuery)
  const isKnown =
    savedView !== undefined || builtInViews.some(({ query }) => sortedText(query) === currentQuery)
  if (builtInViews.length === 0 && userViews.length === 0 && currentQuery === '' && !error)
    return null
  const allViews = [
    ...builtInViews,
    ...userViews.map(({ name, query }) => ({ label: name, query: queryOf(query) })),
  ]
  return (
    <div className="views">
      {error && <Failure error={error} retry={() => refetch()} />}
      <ViewChoice views={allViews} currentQuery={currentQuery} setSearch={setSearch} />
      {allViews.map(({ label, query }) => (
        <button
          type="button"
          className="wide-only"
          key={`${label} ${sortedText(query)}`}
          aria-pressed={sortedText(query) === currentQuery}
          onClick={() => setSearch(query)}
        >
          {label}
        </button>
      ))}
      {savedView && <ViewActions view={savedView} />}
      {!isKnown && currentQuery !== '' && listPath !== undefined && (
        <SaveView listPath={listPath} query={currentQuery} />
      )}
    </div>
  )
}

interface ViewChoiceProps extends Pick<ViewsProps, 'views' | 'setSearch'> {
  currentQuery: string
}

/** The views on a narrow screen, where their buttons would run off the page. */
const ViewChoice = ({ views, currentQuery, setSearch }: ViewChoiceProps) => (
  <select
    className="narrow-only"
    aria-label={lists.view}
    value={currentQuery}
    onChange={({ target }) => setSearch(queryOf(target.value))}
  >
    {views.every(({ query }) => sortedText(query) !== currentQuery) && (
      <option value={currentQuery}>{lists.ownFilters}</option>
    )}
    {views.map(({ label, query }) => (
      <option key={`${label} ${sortedText(query)}`} value={sortedText(query)}>
        {label}
      </option>
    ))}
  </select>
)

const NAME_FIELD = { name: 'name', label: savedViews.name, required: true }

const SaveView = ({ listPath, query }: { listPath: string; query: string }) => (
  <Action
    label={savedViews.save}
    lead={<p>{savedViews.lead}</p>}
    fields={[NAME_FIELD]}
    submit={savedViews.save}
    request={({ name }) =>
      dashboardRequest('saved_views', 'POST', '/saved-views', { page: listPath, name, query })
    }
  />
)

const ViewActions = ({ view: { id, page, name, query } }: { view: SavedView }) => (
  <>
    <Action
      label={savedViews.rename}
      fields={[{ ...NAME_FIELD, value: name }]}
      submit={savedViews.rename}
      request={(values) =>
        dashboardRequest('saved_views', 'PATCH', `/saved-views/${id}`, { name: values.name })
      }
    />
    <Action
      label={savedViews.remove}
      isDanger
      lead={<p>{fill(savedViews.removeLead, { name })}</p>}
      submit={savedViews.remove}
      request={() => dashboardRequest('saved_views', 'DELETE', `/saved-views/${id}`)}
      undo={() => ({
        text: fill(common.deleted, { name }),
        request: dashboardRequest('saved_views', 'POST', '/saved-views', { page, name, query }),
      })}
    />
  </>
)
