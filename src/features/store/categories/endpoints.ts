import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Deleted, Pagination, PathId } from '../../../kernel/shapes.ts'
import { createGrouping } from './create-grouping.ts'
import { deleteGrouping } from './delete-grouping.ts'
import { CATEGORY, GROUP } from './kinds.ts'
import { replaceGroupingProducts } from './put-products.ts'
import { reorderGroupings } from './reorder-groupings.ts'
import {
  Category,
  CategoryPatch,
  CategoryProducts,
  Group,
  GroupingPositions,
  GroupingQuery,
  GroupPatch,
  GroupProducts,
  NewCategory,
  NewGroup,
} from './schema.ts'
import { getGrouping, listGroupings } from './show-groupings.ts'
import { updateGrouping } from './update-grouping.ts'

const OneCategory = z.object({ category: Category })
const CategoryPath = z.object({ id: PathId.describe('The id of the category.') })

const categoryEndpoints = [
  endpoint({
    id: 'categories.list',
    method: 'GET',
    path: '/categories',
    permission: 'categories:read',
    summary: 'List categories, by position.',
    query: GroupingQuery,
    response: z.object({
      categories: z.array(Category).describe('A page of categories.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: async ({ context, query }) => {
      const { groupings, pagination } = await listGroupings(context, CATEGORY, query)
      return { categories: groupings, pagination }
    },
  }),
  endpoint({
    id: 'categories.create',
    method: 'POST',
    path: '/categories',
    permission: 'categories:write',
    summary: 'Create a category, at the last position.',
    body: NewCategory,
    example: { name: 'Games' },
    status: 201,
    response: OneCategory,
    errors: ['VALIDATION_FAILED'],
    audit: { action: 'category.create', object: 'category' },
    handle: async ({ context, body }) => ({
      category: await createGrouping(context, CATEGORY, body),
    }),
  }),
  endpoint({
    id: 'categories.reorder',
    method: 'PUT',
    path: '/categories/order',
    permission: 'categories:write',
    summary: 'Sort all categories.',
    body: GroupingPositions,
    example: { ids: [3, 1, 2] },
    response: z.object({
      categories: z.array(Category).describe('All categories, in the new order.'),
    }),
    errors: ['VALIDATION_FAILED'],
    audit: { action: 'category.reorder', object: 'category' },
    handle: async ({ context, body }) => ({
      categories: await reorderGroupings(context, CATEGORY, body.ids),
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
    handle: async ({ context, params }) => ({
      category: await getGrouping(context, CATEGORY, params.id),
    }),
  }),
  endpoint({
    id: 'categories.update',
    method: 'PATCH',
    path: '/categories/:id',
    permission: 'categories:write',
    summary: 'Update a category. Absent fields keep their values; null clears a field.',
    params: CategoryPath,
    body: CategoryPatch,
    example: { visibility: 'unlisted' },
    response: OneCategory,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'category.update', object: 'category' },
    handle: async ({ context, params, body }) => ({
      category: await updateGrouping(context, CATEGORY, params.id, body),
    }),
  }),
  endpoint({
    id: 'categories.put_products',
    method: 'PUT',
    path: '/categories/:id/products',
    permission: 'categories:write',
    summary: 'Set the products of a category. All other products are removed from it.',
    params: CategoryPath,
    body: CategoryProducts,
    example: { product_ids: ['a1B2c3D4e5F6'] },
    response: OneCategory,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'category.put_products', object: 'category' },
    handle: async ({ context, params, body }) => ({
      category: await replaceGroupingProducts(context, CATEGORY, params.id, body.product_ids),
    }),
  }),
  endpoint({
    id: 'categories.delete',
    method: 'DELETE',
    path: '/categories/:id',
    permission: 'categories:write',
    summary: 'Delete a category. Its products are not deleted.',
    params: CategoryPath,
    response: z.object({ ...Deleted, id: z.int().describe('The id of the deleted category.') }),
    errors: ['NOT_FOUND'],
    audit: { action: 'category.delete', object: 'category' },
    handle: ({ context, params }) => deleteGrouping(context, CATEGORY, params.id),
  }),
]

const OneGroup = z.object({ group: Group })
const GroupPath = z.object({ id: PathId.describe('The id of the group.') })

const groupEndpoints = [
  endpoint({
    id: 'groups.list',
    method: 'GET',
    path: '/groups',
    permission: 'groups:read',
    summary: 'List groups, by position.',
    query: GroupingQuery,
    response: z.object({
      groups: z.array(Group).describe('A page of groups.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: async ({ context, query }) => {
      const { groupings, pagination } = await listGroupings(context, GROUP, query)
      return { groups: groupings, pagination }
    },
  }),
  endpoint({
    id: 'groups.create',
    method: 'POST',
    path: '/groups',
    permission: 'groups:write',
    summary: 'Create a group, at the last position.',
    body: NewGroup,
    example: { name: 'Photo suite' },
    status: 201,
    response: OneGroup,
    errors: ['VALIDATION_FAILED'],
    audit: { action: 'group.create', object: 'group' },
    handle: async ({ context, body }) => ({ group: await createGrouping(context, GROUP, body) }),
  }),
  endpoint({
    id: 'groups.reorder',
    method: 'PUT',
    path: '/groups/order',
    permission: 'groups:write',
    summary: 'Sort all groups.',
    body: GroupingPositions,
    example: { ids: [3, 1, 2] },
    response: z.object({ groups: z.array(Group).describe('All groups, in the new order.') }),
    errors: ['VALIDATION_FAILED'],
    audit: { action: 'group.reorder', object: 'group' },
    handle: async ({ context, body }) => ({
      groups: await reorderGroupings(context, GROUP, body.ids),
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
    handle: async ({ context, params }) => ({
      group: await getGrouping(context, GROUP, params.id),
    }),
  }),
  endpoint({
    id: 'groups.update',
    method: 'PATCH',
    path: '/groups/:id',
    permission: 'groups:write',
    summary: 'Update a group. Absent fields keep their values; null clears a field.',
    params: GroupPath,
    body: GroupPatch,
    example: { visibility: 'unlisted' },
    response: OneGroup,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'group.update', object: 'group' },
    handle: async ({ context, params, body }) => ({
      group: await updateGrouping(context, GROUP, params.id, body),
    }),
  }),
  endpoint({
    id: 'groups.put_products',
    method: 'PUT',
    path: '/groups/:id/products',
    permission: 'groups:write',
    summary: 'Set the products of a group. All other products are removed from it.',
    description:
      'The products are shown in the sequence of `product_ids`. A product is in at most one group: if it is in another group, it is removed from that group.',
    params: GroupPath,
    body: GroupProducts,
    example: { product_ids: ['a1B2c3D4e5F6'] },
    response: OneGroup,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'group.put_products', object: 'group' },
    handle: async ({ context, params, body }) => ({
      group: await replaceGroupingProducts(context, GROUP, params.id, body.product_ids),
    }),
  }),
  endpoint({
    id: 'groups.delete',
    method: 'DELETE',
    path: '/groups/:id',
    permission: 'groups:write',
    summary: 'Delete a group. Its products are not deleted.',
    params: GroupPath,
    response: z.object({ ...Deleted, id: z.int().describe('The id of the deleted group.') }),
    errors: ['NOT_FOUND'],
    audit: { action: 'group.delete', object: 'group' },
    handle: ({ context, params }) => deleteGrouping(context, GROUP, params.id),
  }),
]

export const categoryAndGroupEndpoints = [...categoryEndpoints, ...groupEndpoints]
