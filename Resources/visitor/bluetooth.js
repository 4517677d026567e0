// The gate over Web Bluetooth: the browser's chooser, the one characteristic, values written and read.

import { TapError } from "./tap.js";

/** docs/phone-protocol.md, Bluetooth Low Energy: on-touch and classic. */
export const SERVICES = ["00005301-0010-002a-426c-756549442a00", "00005301-0000-002a-426c-756549442a00"];

/** A value that is not ready yet is asked for again, for so long. */
const READING_MILLISECONDS = 3_000;
const PAUSE_MILLISECONDS = 60;
const HANGING_UP_MILLISECONDS = 500;
const CONNECTING_MILLISECONDS = 10_000;
/** Longer than any gate lets a phone wait. */
const OPERATION_MILLISECONDS = 8_000;

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Shows the browser's chooser. Wants a person's press just before. */
export async function choose(services) {
  try {
    const filters = services.map((service) => ({ services: [service] }));
    return await navigator.bluetooth.requestDevice({ filters, optionalServices: services });
  } catch (error) {
    throw new TapError(chooserFault(error), error);
  }
}

/** Chromium tells these apart by its sentence only. */
export function chooserFault(error) {
  const text = String(error.message).toLowerCase();
  if (error.name === "SecurityError" && text.includes("gesture")) return "press-again";
  if (text.includes("permission") || text.includes("disabled") || text.includes("policy")) return "bluetooth-denied";
  if (error.name === "SecurityError" || error.name === "NotAllowedError") return "bluetooth-denied";
  if (text.includes("adapter") || text.includes("low energy not available")) return "bluetooth-off";
  if (error.name === "NotFoundError" || error.name === "AbortError") return "nothing-chosen";
  return "connection-failed";
}

/** A connection to the gate that was chosen. */
export class Link {
  static async open(device, services) {
    const link = new Link(device);
    try {
      const server = await inTime(device.gatt.connect(), CONNECTING_MILLISECONDS, "out-of-reach");
      link.characteristic = await gateCharacteristic(server, services);
      return link;
    } catch (error) {
      const code = error instanceof TapError ? error.code : link.isOpen ? "connection-failed" : "out-of-reach";
      link.close();
      throw new TapError(code, error);
    }
  }

  constructor(device) {
    this.device = device;
    this.gone = new Promise((_, reject) => {
      device.addEventListener("gattserverdisconnected", () => reject(new TapError("hung-up")), { once: true });
    });
    this.gone.catch(() => {});
  }

  get isOpen() { return this.device.gatt.connected; }

  async write(bytes) {
    try {
      await this.inTime(this.characteristic.writeValueWithResponse(bytes));
    } catch (error) {
      throw await this.fault(error);
    }
  }

  /** The gate may not have decided yet: it refuses the read, and the browser does not say with which error. */
  async read() {
    const until = performance.now() + READING_MILLISECONDS;
    for (;;) {
      try {
        const view = await this.inTime(this.characteristic.readValue());
        return new Uint8Array(view.buffer, view.byteOffset, view.byteLength).slice();
      } catch (error) {
        if (error instanceof TapError || !this.isOpen || performance.now() > until) throw await this.fault(error);
        await pause(PAUSE_MILLISECONDS);
      }
    }
  }

  /** Browsers forget what was under way when a link ends. */
  inTime(operation) { return Promise.race([inTime(operation, OPERATION_MILLISECONDS, "hung-up"), this.gone]); }

  /** A gate that refuses a phone hangs up: that it has may be told a little later. */
  async fault(error) {
    if (error instanceof TapError) return error;
    if (this.isOpen) await Promise.race([this.gone.catch(() => {}), pause(HANGING_UP_MILLISECONDS)]);
    return new TapError(this.isOpen ? "connection-failed" : "hung-up", error);
  }

  close() {
    if (this.isOpen) this.device.gatt.disconnect();
  }
}

async function gateCharacteristic(server, services) {
  for (const service of await server.getPrimaryServices()) {
    if (!services.includes(service.uuid)) continue;
    const all = await service.getCharacteristics();
    const fitting = all.filter(({ properties }) => properties.read && properties.write);
    if (fitting.length === 1) return fitting[0];
  }
  throw new TapError("no-gate-there");
}

function inTime(promise, milliseconds, code) {
  const late = pause(milliseconds).then(() => Promise.reject(new TapError(code)));
  late.catch(() => {});
  return Promise.race([promise, late]);
}
