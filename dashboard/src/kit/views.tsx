import { useRouterState } from '@tanstack/react-router'
import { ownRequest } from '../api/action.ts'
import type { OwnAnswer, SavedView } from '../api/own.ts'
import { useRead, useStore } from '../api/store.ts'
import { fill } from '../text/catalogue.ts'
import { common } from '../text/common.ts'
import { savedViews } from '../text/saved-views.ts'
import { Action } from './action.tsx'

/** Filters with a name, above the list. */
export interface View {
  label: string
  query: Record<string, string>
}

interface ViewsProps {
  /** The views that everybody has. */
  views: readonly View[]
  /** The filters of now. */
  asked: Record<string, string>
  setSearch(next: Record<string, string>): void
}

const textOf = (query: Record<string, string>) => {
  const sorted = new URLSearchParams(query)
  sorted.sort()
  return sorted.toString()
}
/** The list as the API names it, such as `orders`; undefined for a list within a record. */
function usePage(): string | undefined {
  const { id } = useStore()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const [, page = ''] = path.split(`/${id}/`)
  return /^[a-z][a-z0-9/-]*$/.test(page) ? page : undefined
}

const queryOf = (text: string) => Object.fromEntries(new URLSearchParams(text))

/** The views of a list: those that everybody has, and those that the reader saved. */
export function Views({ views, asked, setSearch }: ViewsProps) {
  const page = usePage()
  const { data: saved = [] } = useRead(
    ['saved_views', page],
    async ({ own }) => {
      const { saved_views } = await own<OwnAnswer<'saved_views.list'>>('GET', '/saved-views', {
        query: { page },
      })
      return saved_views
    },
    { enabled: page !== undefined },
  )
  const now = textOf(asked)
  const fixed = views.length > 0 ? [{ label: common.all, query: {} }, ...views] : []
  const chosen = saved.find(({ query }) => textOf(queryOf(query)) === now)
  const isKnown = chosen !== undefined || fixed.some(({ query }) => textOf(query) === now)
  if (fixed.length === 0 && saved.length === 0 && now === '') return null
  return (
    <div className="views">
      {[...fixed, ...saved.map(({ name, query }) => ({ label: name, query: queryOf(query) }))].map(
        ({ label, query }) => (
          <button
            type="button"
            key={`${label} ${textOf(query)}`}
            aria-pressed={textOf(query) === now}
            onClick={() => setSearch(query)}
          >
            {label}
          </button>
        ),
      )}
      {chosen && <Change of={chosen} />}
      {!isKnown && now !== '' && page !== undefined && <Save page={page} query={now} />}
    </div>
  )
}

const NAME = { name: 'name', label: savedViews.name, required: true }

const Save = ({ page, query }: { page: string; query: string }) => (
  <Action
    label={savedViews.save}
    lead={<p>{savedViews.lead}</p>}
    fields={[NAME]}
    submit={savedViews.save}
    request={({ name }) => ownRequest('saved_views', 'POST', '/saved-views', { page, name, query })}
  />
)

const Change = ({ of: { id, name } }: { of: SavedView }) => (
  <>
    <Action
      label={savedViews.rename}
      fields={[{ ...NAME, value: name }]}
      submit={savedViews.rename}
      request={(values) =>
        ownRequest('saved_views', 'PATCH', `/saved-views/${id}`, { name: values.name })
      }
    />
    <Action
      label={savedViews.remove}
      isDanger
      lead={<p>{fill(savedViews.removeLead, { name })}</p>}
      submit={savedViews.remove}
      request={() => ownRequest('saved_views', 'DELETE', `/saved-views/${id}`)}
    />
  </>
)
