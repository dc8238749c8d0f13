const DOMAIN = '@erased.invalid'

/**
 * Replaces the address of an erased customer with a unique one that cannot receive mail (RFC 2606).
 */
export const erasedEmail = (customerId: number): string => `erased-${customerId}${DOMAIN}`

export const isErasedEmail = (email: string): boolean => email.endsWith(DOMAIN)
