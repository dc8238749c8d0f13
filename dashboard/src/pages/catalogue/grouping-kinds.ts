import { type Request, storeRequest } from '../../api/action.ts'
import { allOf } from '../../api/all-of.ts'
import type { Category, Group, NewCategory, StoreContext } from '../../api/store.ts'
import type { Field, Typed } from '../../kit/fields.tsx'
import { common } from '../../text/common.ts'
import { groupings } from '../../text/groupings.ts'

export type Kind = 'categories' | 'groups'
export type Grouping = Category | Group

type Body = Omit<NewCategory, 'icon'> & { icon?: string | null }

/** The texts and operations in which categories and groups differ. */
interface KindFacts {
  title: string
  lead: string
  empty: string
  add: string
  remove: string
  /** All of them, by position. A store has 500 at most. */
  readAll: (store: StoreContext) => Promise<Grouping[]>
  read: (store: StoreContext, id: number) => Promise<Grouping>
  create: (body: Body) => Request
  update: (id: number, body: Partial<Body>) => Request
  erase: (id: number) => Request
  reorder: (ids: number[]) => Request
}

export const KINDS: Record<Kind, KindFacts> = {
  categories: {
    title: groupings.categories,
    lead: groupings.categoriesLead,
    empty: groupings.noCategories,
    add: groupings.newCategory,
    remove: groupings.deleteCategory,
    readAll: ({ api }) => allOf(api.categories.list()),
    read: async ({ api }, id) => (await api.categories.get(id)).category,
    create: (body) => storeRequest('categories', 'create', body),
    update: (id, body) => storeRequest('categories', 'update', id, body),
    erase: (id) => storeRequest('categories', 'delete', id),
    reorder: (ids) => storeRequest('categories', 'reorder', { ids }),
  },
  groups: {
    title: groupings.groups,
    lead: groupings.groupsLead,
    empty: groupings.noGroups,
    add: groupings.newGroup,
    remove: groupings.deleteGroup,
    readAll: ({ api }) => allOf(api.groups.list()),
    read: async ({ api }, id) => (await api.groups.get(id)).group,
    create: (body) => storeRequest('groups', 'create', body),
    update: (id, body) => storeRequest('groups', 'update', id, body),
    erase: (id) => storeRequest('groups', 'delete', id),
    reorder: (ids) => storeRequest('groups', 'reorder', { ids }),
  },
}

/** The created or changed record of an answer. */
export const recordOf = (answer: unknown): Grouping => {
  const { category, group } = answer as { category?: Category; group?: Group }
  return (category ?? group) as Grouping
}

export const fieldsOf = (kind: Kind, of?: Grouping): readonly Field[] => [
  { name: 'name', label: common.name, required: true, value: of?.name },
  { name: 'slug', label: 'Slug', value: of?.slug, help: groupings.slugHelp },
  {
    name: 'description',
    label: groupings.description,
    type: 'textarea',
    value: of?.description,
  },
  { name: 'image_url', label: groupings.image, type: 'url', value: of?.image_url },
  ...(kind === 'categories'
    ? [
        {
          name: 'icon',
          label: groupings.icon,
          help: groupings.iconHelp,
          value: of && 'icon' in of ? of.icon : null,
        },
      ]
    : []),
  {
    name: 'visibility',
    label: groupings.visibility,
    type: 'select',
    required: true,
    value: of?.visibility ?? 'public',
    options: [
      { value: 'public', label: groupings.public },
      { value: 'unlisted', label: groupings.unlisted },
    ],
  },
]

const textOf = (value: unknown) => (value === undefined ? null : String(value))

/** The body of the typed values. An empty slug is generated, or stays. */
export const bodyOf = (kind: Kind, values: Typed): Body => ({
  name: String(values.name ?? ''),
  description: textOf(values.description),
  image_url: textOf(values.image_url),
  visibility: values.visibility as Grouping['visibility'],
  ...(values.slug !== undefined && { slug: String(values.slug) }),
  ...(kind === 'categories' && { icon: textOf(values.icon) }),
})
