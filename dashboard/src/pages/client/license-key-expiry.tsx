import type { ListedLicenseKey } from '../../api/security.ts'
import { Time } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { licenseKeys } from '../../text/license-keys.ts'

/** The end of a license, or a text if it has not begun or never ends. */
export const Expiry = ({
  licenseKey: { expires_at, duration_seconds },
}: {
  licenseKey: ListedLicenseKey
}) => {
  if (expires_at !== null) return <Time at={expires_at} />
  return duration_seconds === null ? common.never : licenseKeys.notStarted
}
