import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Message, RecordPath } from '../../../kernel/client-shapes.ts'
import { PageQuery, Pagination } from '../../../kernel/shapes.ts'
import { createSetting } from './create-setting.ts'
import { replaceSettings } from './replace-settings.ts'
import {
  AllSettings,
  NewSetting,
  RemoteSetting,
  Rollback,
  SettingPatch,
  SettingQuery,
  SettingVersion,
} from './schema.ts'
import { deleteSetting, settingRecords } from './setting-records.ts'
import { listSettings, listVersions } from './show-settings.ts'
import { rollBackSetting, updateSetting } from './update-setting.ts'

const ChangedSetting = z.object({ remote_setting: RemoteSetting, message: Message })

export const settingEndpoints = [
  endpoint({
    id: 'remote_settings.list',
    method: 'GET',
    path: '/remote-settings',
    permission: 'client_security:read',
    hasValues: true,
    summary: 'List remote settings, newest first.',
    query: SettingQuery,
    response: z.object({
      remote_settings: z.array(RemoteSetting).describe('A page of settings.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    audit: { action: 'remote_setting.list', object: 'remote_setting' },
    handle: ({ context, query }) => listSettings(context, query),
  }),
  endpoint({
    id: 'remote_settings.create',
    method: 'POST',
    path: '/remote-settings',
    permission: 'client_security:write',
    hasValues: true,
    summary: 'Create a remote setting.',
    body: NewSetting,
    example: { key: 'max_players', type: 'integer', value: 64, constraints: { min: 1, max: 128 } },
    status: 201,
    response: ChangedSetting,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'remote_setting.create', object: 'remote_setting' },
    handle: async ({ context, caller, body }) => ({
      remote_setting: await createSetting(context, caller, body),
      message: 'The remote setting was created.',
    }),
  }),
  endpoint({
    id: 'remote_settings.replace',
    method: 'PUT',
    path: '/remote-settings',
    permission: 'client_security:write',
    hasValues: true,
    summary: 'Replace all remote settings of an app.',
    description: '`If-Match` compares with the `config_version` of the app.',
    body: AllSettings,
    example: { settings: [{ key: 'max_players', type: 'integer', value: 64 }] },
    response: z.object({
      remote_settings: z.array(RemoteSetting).describe('All settings, sorted by key.'),
      config_version: z.int().describe('The new version of the configuration.'),
      message: Message,
    }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'remote_setting.replace', object: 'remote_setting' },
    handle: async ({ context, caller, body, version }) => ({
      ...(await replaceSettings(context, caller, body, version)),
      message: 'The remote settings were replaced.',
    }),
  }),
  endpoint({
    id: 'remote_settings.get',
    method: 'GET',
    path: '/remote-settings/:id',
    permission: 'client_security:read',
    hasValues: true,
    summary: 'Get a remote setting.',
    params: RecordPath,
    response: z.object({ remote_setting: RemoteSetting }),
    errors: ['NOT_FOUND'],
    audit: { action: 'remote_setting.get', object: 'remote_setting' },
    handle: async ({ context, params }) => ({
      remote_setting: await settingRecords.get(context, params.id),
    }),
  }),
  endpoint({
    id: 'remote_settings.update',
    method: 'PATCH',
    path: '/remote-settings/:id',
    permission: 'client_security:write',
    hasValues: true,
    summary: 'Update a remote setting. Fields you leave out keep their value.',
    params: RecordPath,
    body: SettingPatch,
    example: { value: 32 },
    response: ChangedSetting,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'remote_setting.update', object: 'remote_setting' },
    handle: async ({ context, caller, params, body, version }) => ({
      remote_setting: await updateSetting(context, caller, { id: params.id, version }, body),
      message: 'The remote setting was updated.',
    }),
  }),
  endpoint({
    id: 'remote_settings.delete',
    method: 'DELETE',
    path: '/remote-settings/:id',
    permission: 'client_security:write',
    summary: 'Delete a remote setting.',
    params: RecordPath,
    response: z.object({ message: Message }),
    errors: ['NOT_FOUND'],
    audit: { action: 'remote_setting.delete', object: 'remote_setting' },
    handle: async ({ context, caller, params, version }) => {
      await deleteSetting(context, caller, { id: params.id, version })
      return { message: 'The remote setting was deleted.' }
    },
  }),
  endpoint({
    id: 'remote_settings.list_versions',
    method: 'GET',
    path: '/remote-settings/:id/versions',
    permission: 'client_security:read',
    hasValues: true,
    summary: 'List the versions of a remote setting, newest first.',
    params: RecordPath,
    query: z.object(PageQuery),
    response: z.object({
      versions: z.array(SettingVersion).describe('A page of versions.'),
      pagination: Pagination,
    }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'remote_setting.list_versions', object: 'remote_setting' },
    handle: ({ context, params, query }) => listVersions(context, params.id, query),
  }),
  endpoint({
    id: 'remote_settings.roll_back',
    method: 'POST',
    path: '/remote-settings/:id/rollback',
    permission: 'client_security:write',
    hasValues: true,
    summary: 'Restore the content of an old version, as a new version.',
    params: RecordPath,
    body: Rollback,
    example: { version: 3 },
    response: ChangedSetting,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'remote_setting.roll_back', object: 'remote_setting' },
    handle: async ({ context, caller, params, body, version }) => ({
      remote_setting: await rollBackSetting(
        context,
        caller,
        { id: params.id, version },
        body.version,
      ),
      message: 'The remote setting was rolled back.',
    }),
  }),
]
