import { fill } from '../text/catalogue.ts'
import { missingPermission } from '../text/missing-permission.ts'
import { permissionText } from './permission.ts'

/** The permission that a role lacks, in words and as the API names it. */
export function MissingPermission({ permission }: { permission: string }) {
  return (
    <>
      {fill(missingPermission.is, { permission: permissionText(permission) })}{' '}
      <code className="unbroken">{permission}</code>
    </>
  )
}
