import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Account } from './schema.ts'
import { Settings, SettingsPatch } from './settings-schema.ts'
import { showAccount } from './show-account.ts'
import { showSettings, updateSettings } from './update-settings.ts'

const SettingsAnswer = z.object({ settings: Settings })

export const accountEndpoints = [
  endpoint({
    id: 'account.get',
    method: 'GET',
    path: '/account',
    permission: 'account:read',
    summary: 'Show the store, its plan and limits, and the permissions of the calling key.',
    response: z.object({ account: Account }),
    errors: [],
    handle: async ({ context, caller }) => ({ account: showAccount(context, caller) }),
  }),
  endpoint({
    id: 'account.get_settings',
    method: 'GET',
    path: '/account/settings',
    permission: 'account:read',
    summary: 'Get the settings of the store.',
    response: SettingsAnswer,
    errors: [],
    handle: async ({ context }) => ({ settings: await showSettings(context) }),
  }),
  endpoint({
    id: 'account.update_settings',
    method: 'PATCH',
    path: '/account/settings',
    permission: 'account:write',
    summary: 'Change the settings of the store.',
    description:
      'Each side of a store has its own settings. A change applies to new orders, new return requests and automatic reviews that have not been created yet. If several server processes run, the others use the new settings within 5 seconds.',
    body: SettingsPatch,
    example: {
      return_window_days: 30,
      time_zone: 'Europe/Berlin',
      support_email: 'help@example.com',
    },
    response: SettingsAnswer,
    errors: ['VALIDATION_FAILED'],
    audit: 'itself',
    handle: async ({ context, body }) => ({ settings: await updateSettings(context, body) }),
  }),
]
