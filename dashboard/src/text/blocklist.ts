import { catalogue } from './catalogue.ts'
import { navigation } from './navigation.ts'

export const blocklist = catalogue({
  title: navigation.blocklist,
  value: ['Address or range', 'Adresse oder Bereich', 'Dirección o rango'],
  type: ['Type', 'Art', 'Tipo'],
  domain: ['Email domain', 'E-Mail-Domain', 'Dominio de correo'],
  ip: ['IP address', 'IP-Adresse', 'Dirección IP'],
  ipRange: ['IP address or range', 'IP-Adresse oder Bereich', 'Dirección o rango de IP'],
  hits: ['Refused orders', 'Abgelehnte Bestellungen', 'Pedidos rechazados'],
  empty: [
    'Orders from addresses on the blocklist are refused. Add an email address, a domain or an IP range.',
    'Bestellungen von gesperrten Adressen werden abgelehnt. Fügen Sie eine E-Mail-Adresse, eine Domain oder einen IP-Bereich hinzu.',
    'Se rechazan los pedidos de direcciones bloqueadas. Añada un correo, un dominio o un rango de IP.',
  ],
  add: ['Add entry', 'Eintrag hinzufügen', 'Añadir entrada'],
  edit: ['Edit entry', 'Eintrag bearbeiten', 'Editar entrada'],
  addHelp: [
    'For example, mara@example.com, example.com for a domain, or 192.0.2.0/24 for a range of IP addresses.',
    'Zum Beispiel mara@example.com, example.com für eine Domain oder 192.0.2.0/24 für einen IP-Bereich.',
    'Por ejemplo mara@example.com, example.com para un dominio o 192.0.2.0/24 para un rango de IP.',
  ],
  help: [
    'For example, *@example.com for a domain, or 192.0.2.0/24 for a range.',
    'Etwa *@example.com für eine Domain oder 192.0.2.0/24 für einen Bereich.',
    'Por ejemplo *@example.com para un dominio o 192.0.2.0/24 para un rango.',
  ],
  test: ['Test an address', 'Adresse prüfen', 'Probar una dirección'],
  buyer: ['Email or IP address of a buyer', 'E-Mail oder IP-Adresse', 'Correo o IP del comprador'],
  testIt: ['Test', 'Prüfen', 'Probar'],
  isRefused: [
    'An order of {value} is refused by:',
    'Eine Bestellung von {value} wird abgelehnt durch:',
    'Un pedido de {value} se rechaza por:',
  ],
  notRefused: [
    'No entry refuses an order of {value}.',
    'Kein Eintrag lehnt eine Bestellung von {value} ab.',
    'Ninguna entrada rechaza un pedido de {value}.',
  ],
  blockedOrders: ['Recently refused', 'Zuletzt abgelehnt', 'Rechazados hace poco'],
  noBlockedOrders: [
    'The blocklist refused no order recently.',
    'Zuletzt wurde keine Bestellung abgelehnt.',
    'No se rechazó ningún pedido últimamente.',
  ],
  blockedOrdersHelp: [
    'From the request log, which keeps calls for 7 days.',
    'Aus dem Anfrageprotokoll, das Aufrufe 7 Tage lang bewahrt.',
    'Del registro de solicitudes, que guarda las llamadas 7 días.',
  ],
  remove: ['Remove entry', 'Eintrag entfernen', 'Quitar entrada'],
  removeLead: [
    '{value} has refused {hits} {hits:order|orders} so far. Without this entry, these customers can order again, unless another entry matches.',
    '{value} hat bisher {hits} {hits:Bestellung|Bestellungen} abgelehnt. Ohne diesen Eintrag sind sie wieder möglich, falls kein anderer passt.',
    '{value} rechazó {hits} {hits:pedido|pedidos}. Sin esta entrada podrá volver a pedir, salvo que otra coincida.',
  ],
})
