import { catalogue } from './catalogue.ts'

/** The actions of the command palette, apart from opening pages and records. */
export const commands = catalogue({
  heading: ['Do', 'Ausführen', 'Hacer'],
  newOrder: ['Create an order', 'Bestellung anlegen', 'Crear un pedido'],
  newProduct: ['Create a product', 'Produkt anlegen', 'Crear un producto'],
  newCoupon: ['Create a coupon', 'Gutschein anlegen', 'Crear un cupón'],
  newKeys: ['Issue license keys', 'Lizenzschlüssel ausgeben', 'Emitir claves de licencia'],
  newApiKey: ['Create an API key', 'API-Key erstellen', 'Crear una clave de API'],
  newEndpoint: [
    'Add a webhook endpoint',
    'Webhook-Endpunkt anlegen',
    'Añadir un endpoint de webhook',
  ],
  invite: ['Invite a colleague', 'Jemanden ins Team einladen', 'Invitar a alguien'],
  themeSystem: ['Theme: as the system', 'Farbschema: wie das System', 'Tema: como el sistema'],
  themeLight: ['Theme: light', 'Farbschema: hell', 'Tema: claro'],
  themeDark: ['Theme: dark', 'Farbschema: dunkel', 'Tema: oscuro'],
  compactRows: ['Rows: compact', 'Zeilen: kompakt', 'Filas: compactas'],
  normalRows: ['Rows: normal height', 'Zeilen: normale Höhe', 'Filas: altura normal'],
  singleKeysOn: [
    'Turn single-key shortcuts on',
    'Kürzel mit einer Taste einschalten',
    'Activar atajos de una tecla',
  ],
  singleKeysOff: [
    'Turn single-key shortcuts off',
    'Kürzel mit einer Taste ausschalten',
    'Desactivar atajos de una tecla',
  ],
  signOut: ['Sign out', 'Abmelden', 'Cerrar sesión'],
})
