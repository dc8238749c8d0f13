import { catalogue } from './catalogue.ts'

export const missingPermission = catalogue({
  is: [
    'The missing permission is “{permission}”.',
    'Die fehlende Berechtigung ist „{permission}“.',
    'El permiso que falta es «{permission}».',
  ],
})
