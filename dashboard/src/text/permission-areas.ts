import type { PERMISSION_AREAS } from '../../../sdk/dashboard/permissions.gen.ts'
import { catalogue } from './catalogue.ts'

/** The areas of permissions. The compiler requires a name for each area. */
export const permissionAreas = catalogue<(typeof PERMISSION_AREAS)[number] | 'client_security'>({
  account: ['Store settings', 'Shop-Einstellungen', 'Ajustes de la tienda'],
  affiliates: ['Affiliates', 'Partnerprogramm', 'Afiliados'],
  analytics: ['Analytics', 'Auswertungen', 'Analítica'],
  blocklist: ['Blocklist', 'Sperrliste', 'Lista de bloqueo'],
  categories: ['Categories', 'Kategorien', 'Categorías'],
  client_security: ['Client programs', 'Client-Programme', 'Programas cliente'],
  coupons: ['Coupons', 'Gutscheine', 'Cupones'],
  customers: ['Customers', 'Kunden', 'Clientes'],
  fulfillment: ['Parcels', 'Pakete', 'Paquetes'],
  groups: ['Groups', 'Gruppen', 'Grupos'],
  orders: ['Orders', 'Bestellungen', 'Pedidos'],
  products: ['Products', 'Produkte', 'Productos'],
  questions: ['Questions', 'Fragen', 'Preguntas'],
  returns: ['Returns', 'Retouren', 'Devoluciones'],
  reviews: ['Reviews', 'Bewertungen', 'Reseñas'],
  stock: ['Stock and keys', 'Lager und Keys', 'Existencias y claves'],
  subscriptions: ['Subscriptions', 'Abos', 'Suscripciones'],
  tickets: ['Tickets', 'Tickets', 'Tickets'],
  webhooks: ['Webhooks and events', 'Webhooks und Ereignisse', 'Webhooks y eventos'],
})

export const permissionLevels = catalogue({
  read: ['read', 'lesen', 'leer'],
  write: ['change', 'ändern', 'cambiar'],
})
