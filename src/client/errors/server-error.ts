import { ApiError, type ApiErrorDetails } from "./api-error.js";

/** 5xx: the service has a problem. The client repeated requests that are safe to repeat. A POST may have been carried out. */
export class ServerError extends ApiError {
  static {
    ServerError.prototype.name = "ServerError";
  }

  /** True if the body has the service's own form, JSON with a `message`. A proxy's page does not. */
  readonly inServiceForm: boolean;

  constructor(details: ApiErrorDetails, { inServiceForm }: { inServiceForm: boolean }) {
    super(
      details,
      details.method === "GET"
        ? "The service has a problem. Try again later."
        : "The service has a problem. Check whether the change was made before you try again.",
    );
    this.inServiceForm = inServiceForm;
  }
}
