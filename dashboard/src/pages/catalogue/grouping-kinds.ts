import { type Request, storeRequest } from '../../api/action.ts'
import { allOf } from '../../api/all-of.ts'
import type { Category, CategoryInput, Group, StoreContext } from '../../api/store.ts'
import { initialValues } from '../../kit/edit-action.tsx'
import type { Field, FormValues } from '../../kit/fields.tsx'
import { NAME_MAX } from '../../kit/text-limits.ts'
import { textOrNull } from '../../kit/values.ts'
import { common } from '../../text/common.ts'
import { groupings } from '../../text/groupings.ts'

export type Kind = 'categories' | 'groups'
export type Grouping = Category | Group

type Body = Omit<CategoryInput, 'icon'> & { icon?: string | null }

/** The texts and operations that differ between categories and groups. */
interface KindDefinition {
  title: string
  lead: string
  empty: string
  addLabel: string
  deleteLabel: string
  /** Reads all groupings, sorted by position. A store has at most 500. */
  readAll: (store: StoreContext) => Promise<Grouping[]>
  read: (store: StoreContext, id: number) => Promise<Grouping>
  createRequest: (body: Body) => Request
  updateRequest: (id: number, body: Partial<Body>) => Request
  deleteRequest: (id: number) => Request
  reorderRequest: (ids: number[]) => Request
}

export const KINDS: Record<Kind, KindDefinition> = {
  categories: {
    title: groupings.categories,
    lead: groupings.categoriesLead,
    empty: groupings.noCategories,
    addLabel: groupings.newCategory,
    deleteLabel: groupings.deleteCategory,
    readAll: ({ api }) => allOf(api.categories.list()),
    read: async ({ api }, id) => (await api.categories.get(id)).category,
    createRequest: (body) => storeRequest('categories', 'create', body),
    updateRequest: (id, body) => storeRequest('categories', 'update', id, body),
    deleteRequest: (id) => storeRequest('categories', 'delete', id),
    reorderRequest: (ids) => storeRequest('categories', 'reorder', { ids }),
  },
  groups: {
    title: groupings.groups,
    lead: groupings.groupsLead,
    empty: groupings.noGroups,
    addLabel: groupings.newGroup,
    deleteLabel: groupings.deleteGroup,
    readAll: ({ api }) => allOf(api.groups.list()),
    read: async ({ api }, id) => (await api.groups.get(id)).group,
    createRequest: (body) => storeRequest('groups', 'create', body),
    updateRequest: (id, body) => storeRequest('groups', 'update', id, body),
    deleteRequest: (id) => storeRequest('groups', 'delete', id),
    reorderRequest: (ids) => storeRequest('groups', 'reorder', { ids }),
  },
}

/** The category or group in the answer of a create or an update. */
export const groupingOf = (answer: unknown): Grouping => {
  const { category, group } = answer as { category?: Category; group?: Group }
  return (category ?? group) as Grouping
}

export const fieldsOf = (kind: Kind, grouping?: Grouping): readonly Field[] => [
  { name: 'name', label: common.name, required: true, maxLength: NAME_MAX, value: grouping?.name },
  { name: 'slug', label: 'Slug', value: grouping?.slug, help: groupings.slugHelp },
  {
    name: 'description',
    label: groupings.description,
    type: 'textarea',
    value: grouping?.description,
  },
  { name: 'image_url', label: groupings.image, type: 'url', value: grouping?.image_url },
  ...(kind === 'categories'
    ? [
        {
          name: 'icon',
          label: groupings.icon,
          help: groupings.iconHelp,
          value: grouping && 'icon' in grouping ? grouping.icon : null,
        },
      ]
    : []),
  {
    name: 'visibility',
    label: groupings.visibility,
    type: 'select',
    required: true,
    value: grouping?.visibility ?? 'public',
    options: [
      { value: 'public', label: groupings.public },
      { value: 'unlisted', label: groupings.unlisted },
    ],
  },
]

/** The request body from the typed values. An empty slug is omitted: the API then generates one, or keeps the present one. */
export const bodyOf = (kind: Kind, values: FormValues): Body => ({
  name: String(values.name ?? ''),
  description: textOrNull(values.description),
  image_url: textOrNull(values.image_url),
  visibility: values.visibility as Grouping['visibility'],
  ...(values.slug !== undefined && { slug: String(values.slug) }),
  ...(kind === 'categories' && { icon: textOrNull(values.icon) }),
})

/** The changed fields only, so that another user's edits of other fields are kept. */
export function patchOf(kind: Kind, changed: FormValues, grouping: Grouping): Partial<Body> {
  const body = bodyOf(kind, { ...initialValues(fieldsOf(kind, grouping)), ...changed })
  return Object.fromEntries(Object.entries(body).filter(([name]) => name in changed))
}
