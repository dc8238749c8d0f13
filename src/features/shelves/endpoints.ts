import { z } from 'zod'
import { endpoint } from '../../http/endpoint.ts'
import { Deleted, Pagination, PathId } from '../../kernel/shapes.ts'
import { createShelf } from './create-shelf.ts'
import { deleteShelf } from './delete-shelf.ts'
import { CATEGORY, GROUP } from './kinds.ts'
import { putProducts } from './put-products.ts'
import { reorderShelves } from './reorder-shelves.ts'
import {
  Category,
  CategoryPatch,
  CategoryProducts,
  Group,
  GroupPatch,
  GroupProducts,
  NewCategory,
  NewGroup,
  ShelfOrder,
  ShelfQuery,
} from './schema.ts'
import { getShelf, listShelves } from './show-shelves.ts'
import { updateShelf } from './update-shelf.ts'

const OneCategory = z.object({ category: Category })
const CategoryPath = z.object({ id: PathId.describe('The category.') })

const categoryEndpoints = [
  endpoint({
    id: 'categories.list',
    method: 'GET',
    path: '/categories',
    permission: 'categories:read',
    summary: 'List categories, by position.',
    query: ShelfQuery,
    response: z.object({
      categories: z.array(Category).describe('A page of categories.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: async ({ shop, query }) => {
      const { shelves, pagination } = await listShelves(shop, CATEGORY, query)
      return { categories: shelves, pagination }
    },
  }),
  endpoint({
    id: 'categories.create',
    method: 'POST',
    path: '/categories',
    permission: 'categories:write',
    summary: 'Create a category, behind the others.',
    body: NewCategory,
    example: { name: 'Games' },
    status: 201,
    response: OneCategory,
    errors: ['VALIDATION_FAILED'],
    handle: async ({ shop, body }) => ({ category: await createShelf(shop, CATEGORY, body) }),
  }),
  endpoint({
    id: 'categories.reorder',
    method: 'PUT',
    path: '/categories/order',
    permission: 'categories:write',
    summary: 'Give all categories a new order.',
    body: ShelfOrder,
    example: { ids: [3, 1, 2] },
    response: z.object({
      categories: z.array(Category).describe('All of them, in their new order.'),
    }),
    errors: ['VALIDATION_FAILED'],
    handle: async ({ shop, body }) => ({
      categories: await reorderShelves(shop, CATEGORY, body.ids),
    }),
  }),
  endpoint({
    id: 'categories.get',
    method: 'GET',
    path: '/categories/:id',
    permission: 'categories:read',
    summary: 'Get a category.',
    params: CategoryPath,
    response: OneCategory,
    errors: ['NOT_FOUND'],
    handle: async ({ shop, params }) => ({ category: await getShelf(shop, CATEGORY, params.id) }),
  }),
  endpoint({
    id: 'categories.update',
    method: 'PATCH',
    path: '/categories/:id',
    permission: 'categories:write',
    summary: 'Update a category. Fields you leave out keep their value; null clears.',
    params: CategoryPath,
    body: CategoryPatch,
    example: { visibility: 'unlisted' },
    response: OneCategory,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: async ({ shop, params, body }) => ({
      category: await updateShelf(shop, CATEGORY, params.id, body),
    }),
  }),
  endpoint({
    id: 'categories.put_products',
    method: 'PUT',
    path: '/categories/:id/products',
    permission: 'categories:write',
    summary: 'Say which products are in a category; all others leave it.',
    params: CategoryPath,
    body: CategoryProducts,
    example: { product_ids: ['a1B2c3D4e5F6'] },
    response: OneCategory,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: async ({ shop, params, body }) => ({
      category: await putProducts(shop, CATEGORY, params.id, body.product_ids),
    }),
  }),
  endpoint({
    id: 'categories.delete',
    method: 'DELETE',
    path: '/categories/:id',
    permission: 'categories:write',
    summary: 'Delete a category. Its products stay.',
    params: CategoryPath,
    response: z.object({ ...Deleted, id: z.int().describe('The category that is gone.') }),
    errors: ['NOT_FOUND'],
    handle: ({ shop, params }) => deleteShelf(shop, CATEGORY, params.id),
  }),
]

const OneGroup = z.object({ group: Group })
const GroupPath = z.object({ id: PathId.describe('The group.') })

const groupEndpoints = [
  endpoint({
    id: 'groups.list',
    method: 'GET',
    path: '/groups',
    permission: 'groups:read',
    summary: 'List groups, by position.',
    query: ShelfQuery,
    response: z.object({
      groups: z.array(Group).describe('A page of groups.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: async ({ shop, query }) => {
      const { shelves, pagination } = await listShelves(shop, GROUP, query)
      return { groups: shelves, pagination }
    },
  }),
  endpoint({
    id: 'groups.create',
    method: 'POST',
    path: '/groups',
    permission: 'groups:write',
    summary: 'Create a group, behind the others.',
    body: NewGroup,
    example: { name: 'Photo suite' },
    status: 201,
    response: OneGroup,
    errors: ['VALIDATION_FAILED'],
    handle: async ({ shop, body }) => ({ group: await createShelf(shop, GROUP, body) }),
  }),
  endpoint({
    id: 'groups.reorder',
    method: 'PUT',
    path: '/groups/order',
    permission: 'groups:write',
    summary: 'Give all groups a new order.',
    body: ShelfOrder,
    example: { ids: [3, 1, 2] },
    response: z.object({ groups: z.array(Group).describe('All of them, in their new order.') }),
    errors: ['VALIDATION_FAILED'],
    handle: async ({ shop, body }) => ({
      groups: await reorderShelves(shop, GROUP, body.ids),
    }),
  }),
  endpoint({
    id: 'groups.get',
    method: 'GET',
    path: '/groups/:id',
    permission: 'groups:read',
    summary: 'Get a group.',
    params: GroupPath,
    response: OneGroup,
    errors: ['NOT_FOUND'],
    handle: async ({ shop, params }) => ({ group: await getShelf(shop, GROUP, params.id) }),
  }),
  endpoint({
    id: 'groups.update',
    method: 'PATCH',
    path: '/groups/:id',
    permission: 'groups:write',
    summary: 'Update a group. Fields you leave out keep their value; null clears.',
    params: GroupPath,
    body: GroupPatch,
    example: { visibility: 'unlisted' },
    response: OneGroup,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: async ({ shop, params, body }) => ({
      group: await updateShelf(shop, GROUP, params.id, body),
    }),
  }),
  endpoint({
    id: 'groups.put_products',
    method: 'PUT',
    path: '/groups/:id/products',
    permission: 'groups:write',
    summary: 'Say which products are in a group; all others leave it.',
    description:
      'Keeps their order. A product is in at most one group: one that is in another leaves that.',
    params: GroupPath,
    body: GroupProducts,
    example: { product_ids: ['a1B2c3D4e5F6'] },
    response: OneGroup,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: async ({ shop, params, body }) => ({
      group: await putProducts(shop, GROUP, params.id, body.product_ids),
    }),
  }),
  endpoint({
    id: 'groups.delete',
    method: 'DELETE',
    path: '/groups/:id',
    permission: 'groups:write',
    summary: 'Delete a group. Its products stay.',
    params: GroupPath,
    response: z.object({ ...Deleted, id: z.int().describe('The group that is gone.') }),
    errors: ['NOT_FOUND'],
    handle: ({ shop, params }) => deleteShelf(shop, GROUP, params.id),
  }),
]

export const shelfEndpoints = [...categoryEndpoints, ...groupEndpoints]
