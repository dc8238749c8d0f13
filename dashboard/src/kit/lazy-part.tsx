import { type ComponentType, lazy } from 'react'
import { loadOpenedCode, loadWhenOnline } from '../api/load-code.ts'
import { connection } from '../text/connection.ts'

const PartMissing = () => (
  <p className="failure" role="alert">
    {connection.partMissing}
  </p>
)

/**
 * A part of a page whose code is loaded when it is shown. Without a connection it waits for the server, and a failure
 * is shown in its place. `opened` means that the user opened it, so that the page says that it waits.
 */
export const lazyPart = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  reason?: 'opened',
) =>
  lazy(async () => {
    const loaded = reason === 'opened' ? loadOpenedCode(load) : loadWhenOnline(load)
    return { default: await loaded.catch((): ComponentType<Props> => PartMissing) }
  })
