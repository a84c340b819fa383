//! Who is let in: the right host, the right origin, the right token; and what every answer tells browsers to refuse.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State as Extracted};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};

use crate::problem::Problem;
use crate::state::State;
use crate::tokens::Role;

/// The cookie that a browser has after the log-in.
pub const COOKIE: &str = "surefront_token";

/// No script but the server's own file, nothing from elsewhere, nothing around it. Figures have a few attributes with styles.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self'; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
/// A report brings its style along, and runs nothing.
const REPORT_POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'";

/// Marks an answer that brings its style along.
#[derive(Clone, Copy, Debug)]
pub struct OwnStyle;

/// Lets in who belongs, and says what else a browser must know.
pub async fn guard(Extracted(state): Extracted<Arc<State>>, mut request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let mut response = match admit(&state, &request, &path) {
        Ok(role) => {
            request.extensions_mut().insert(role);
            next.run(request).await
        }
        Err(refused) => refused,
    };
    let policy = if response.extensions().get::<OwnStyle>().is_some() { REPORT_POLICY } else { POLICY };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        // Not less: without a referrer, browsers would not say the origin of a form either.
        (header::REFERRER_POLICY, "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    // What is known changes, and is not for others who use the same browser.
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

#[expect(clippy::result_large_err, reason = "a refusal is the answer itself, and is made once")]
fn admit(state: &State, request: &Request, path: &str) -> Result<Role, Response> {
    let headers = request.headers();
    let host = host(request).filter(|host| is_known_host(host, &state.hosts)).ok_or_else(|| {
        // A page of somebody else's may have had its name point here (DNS rebinding).
        let sentence = "this name is not one of this server: use its address, or have the server told the name";
        Problem::new(StatusCode::MISDIRECTED_REQUEST, sentence).into_response()
    })?;
    let reads = request.method() == Method::GET || request.method() == Method::HEAD;
    if !reads {
        same_site(headers, host).map_err(IntoResponse::into_response)?;
    }
    if is_public(path) {
        return Ok(Role::Read);
    }
    let Some(tokens) = &state.tokens else { return Ok(Role::Write) };
    let shown = shown(headers);
    match shown.and_then(|token| tokens.role_of(token)) {
        Some(Role::Read) if !reads => {
            Err(Problem::forbidden("this token is one to read: writing takes the other one").into_response())
        }
        Some(role) => Ok(role),
        None if reads && wants_page(headers) && !path.starts_with("/api/") => {
            let next = request.uri().path_and_query().map_or("/", |next| next.as_str());
            Err(Redirect::to(&format!("/login?next={}", crate::address::encoded(next))).into_response())
        }
        None => {
            let sentence = match shown {
                Some(_) => "this token is not one of this server",
                None => "send a token: Authorization: Bearer TOKEN",
            };
            let mut response = Problem::new(StatusCode::UNAUTHORIZED, sentence).into_response();
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            Err(response)
        }
    }
}

/// What everybody may see: the way in, and how it looks.
fn is_public(path: &str) -> bool {
    path == "/login" || path == "/logout" || path.starts_with("/assets/")
}

/// Whether a person asks.
pub fn wants_page(headers: &HeaderMap) -> bool {
    headers
        .get(header::ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|accept| accept.contains("text/html"))
}

/// The host and port that the request is for, once.
fn host(request: &Request) -> Option<&str> {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let host = hosts.next()?.to_str().ok()?;
    hosts.next().is_none().then_some(host)
}

/// Addresses and `localhost` cannot be made to point here by anybody else; other names can.
fn is_known_host(host: &str, names: &[String]) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((address, port)) if port.is_empty() || port.starts_with(':') => address,
            _ => return false,
        },
        None => host.split_once(':').map_or(host, |(name, _)| name),
    };
    name.parse::<IpAddr>().is_ok()
        || name.eq_ignore_ascii_case("localhost")
        || names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// What changes something comes from a page of this server, or from no page at all. Browsers always say where a form comes from.
fn same_site(headers: &HeaderMap, host: &str) -> Result<(), Problem> {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let elsewhere = || Problem::forbidden("this request comes from a page of another site");
    if text("sec-fetch-site").is_some_and(|site| !matches!(site, "same-origin" | "none")) {
        return Err(elsewhere());
    }
    match text("origin") {
        Some(origin) => {
            let authority = origin.split_once("://").map(|(_, authority)| authority);
            if authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host)) {
                Ok(())
            } else {
                Err(elsewhere())
            }
        }
        None if is_form(headers) && text("sec-fetch-site").is_none() => Err(Problem::forbidden(
            "a form is sent by a browser, which says where it comes from: send JSON or CSV instead",
        )),
        None => Ok(()),
    }
}

/// What a page of any site can make a browser send.
fn is_form(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("text/plain");
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    matches!(kind.as_str(), "application/x-www-form-urlencoded" | "multipart/form-data" | "text/plain" | "")
}

/// The token that was sent: as a header, or as the cookie of the log-in.
fn shown(headers: &HeaderMap) -> Option<&str> {
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
        return scheme.eq_ignore_ascii_case("bearer").then_some(token.trim());
    }
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|cookie| cookie.to_str().ok());
    let mut pairs = cookies.flat_map(|cookie| cookie.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == COOKIE).map(|(_, token)| token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_that_can_only_be_this_machine_are_known() {
        let names = ["lab-pc".to_owned()];
        for host in ["127.0.0.1:8080", "localhost", "LOCALHOST:9", "[::1]:8080", "192.168.1.7", "lab-pc:80", "LAB-PC"] {
            assert!(is_known_host(host, &names), "{host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example:8080",
            "",
            "[::1",
            "[::1]x",
            "lab-pc.evil",
        ] {
            assert!(!is_known_host(host, &names), "{host}");
        }
    }

    #[test]
    fn forms_of_other_sites_are_refused() {
        let check = |pairs: &[(&'static str, &'static str)]| {
            let headers: HeaderMap = pairs
                .iter()
                .map(|(name, value)| (name.parse::<header::HeaderName>().unwrap(), HeaderValue::from_static(value)))
                .collect();
            same_site(&headers, "127.0.0.1:8080").is_ok()
        };
        let form = ("content-type", "application/x-www-form-urlencoded");
        assert!(check(&[form, ("origin", "http://127.0.0.1:8080")]));
        assert!(check(&[form, ("sec-fetch-site", "same-origin")]));
        assert!(check(&[("content-type", "application/json")]));
        assert!(!check(&[form]));
        assert!(!check(&[("content-type", "text/plain")]));
        assert!(!check(&[]));
        for origin in ["http://evil.example", "null", "http://127.0.0.1:8081", "http://127.0.0.1:8080.evil.example", ""]
        {
            let headers: HeaderMap = [(header::ORIGIN, HeaderValue::from_str(origin).unwrap())].into_iter().collect();
            assert!(same_site(&headers, "127.0.0.1:8080").is_err(), "{origin}");
        }
        for site in ["cross-site", "same-site"] {
            let json = ("content-type", "application/json");
            let headers = [json, ("sec-fetch-site", site)];
            let headers: HeaderMap = headers
                .iter()
                .map(|(name, value)| {
                    (name.parse::<header::HeaderName>().unwrap(), HeaderValue::from_str(value).unwrap())
                })
                .collect();
            assert!(same_site(&headers, "127.0.0.1:8080").is_err(), "{site}");
        }
    }

    #[test]
    fn a_token_is_shown_by_header_or_cookie() {
        let of =
            |name, value: &'static str| [(name, HeaderValue::from_static(value))].into_iter().collect::<HeaderMap>();
        assert_eq!(shown(&of(header::AUTHORIZATION, "Bearer abc")), Some("abc"));
        assert_eq!(shown(&of(header::AUTHORIZATION, "bearer  abc ")), Some("abc"));
        assert_eq!(shown(&of(header::AUTHORIZATION, "Basic abc")), None);
        assert_eq!(shown(&of(header::COOKIE, "x=1; surefront_token=abc")), Some("abc"));
        assert_eq!(shown(&of(header::COOKIE, "x=surefront_token")), None);
    }
}
