const DOMAIN = '@erased.invalid'

/**
 * Returns the address that replaces that of an erased customer. It cannot receive mail (RFC 2606).
 */
export const erasedEmail = (customerId: number): string => `erased-${customerId}${DOMAIN}`

export const isErasedEmail = (email: string): boolean => email.endsWith(DOMAIN)
