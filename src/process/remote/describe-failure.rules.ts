/** The sentences for errors of a connection, by their codes. */
const FAILURES: readonly [RegExp, (host: string) => string][] = [
  [
    /^(ENOTFOUND|EAI_AGAIN)$/,
    (host) =>
      `The host ${host} was not found. Check the spelling of --url, and that this machine is online.`,
  ],
  [
    /^ECONNREFUSED$/,
    (host) =>
      `Nothing listens at ${host}. Check the port of --url, and that the server runs and is reachable from here.`,
  ],
  [
    /^(EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/,
    (host) => `${host} cannot be reached from here. Check the network and the firewall.`,
  ],
  [
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?)$/,
    (host) =>
      `The certificate of ${host} is self-signed, or of an authority that this machine does not know. Set NODE_EXTRA_CA_CERTS to a file with the certificate of the authority.`,
  ],
  [
    /^CERT_HAS_EXPIRED$/,
    (host) => `The certificate of ${host} has expired. Renew it on the server.`,
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    (host) =>
      `The certificate of ${host} is for another host. Set --url to a name in the certificate.`,
  ],
  [
    /^(EPROTO|ERR_SSL_.*)$/,
    (host) => `${host} does not answer with TLS. Use http:// if it has no certificate.`,
  ],
  [
    /^bad port$/,
    (host) =>
      `Programs do not call ${host}, because its port belongs to another protocol. Check the port of --url, and serve Tradepost at another one, such as 443 or 4100.`,
  ],
]

/** Returns a sentence for an error of `fetch`: its cause, and what to do. It has no header of the request. */
export function describeFailure(url: string, error: unknown): string {
  const { host } = new URL(url)
  const code = codeOf(error)
  const [, describe] = FAILURES.find(([pattern]) => pattern.test(code)) ?? []
  return (
    describe?.(host) ??
    `The connection to ${host} broke (${code}). Check that --url is the address of Tradepost, and repeat the command.`
  )
}

interface ConnectionError {
  code?: unknown
  cause?: unknown
  errors?: unknown[]
  message?: unknown
}

/** The message of `fetch` for the ports of other protocols, such as those of mail. Its error has no code. */
const BAD_PORT = 'bad port'

/** Returns the code of an error or of its cause. Several addresses give an error with one error for each. */
function codeOf(error: unknown): string {
  const { code, cause, errors, message } = error as ConnectionError
  if (typeof code === 'string') return code
  if (errors?.[0]) return codeOf(errors[0])
  if (cause) return codeOf(cause)
  return message === BAD_PORT ? BAD_PORT : 'no further details'
}
